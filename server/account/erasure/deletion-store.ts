import * as z from 'zod/mini';
import type { Queries, Transaction } from '../../platform/database/database.ts';

const stateRow = z.object({
  email: z.nullable(z.string()),
  passwordHash: z.nullable(z.string()),
  isLastAdmin: z.boolean(),
  /** By our own rows, which the payment provider's events keep up to date. */
  hasPlan: z.boolean(),
});
export type DeletionState = z.infer<typeof stateRow>;

/** Null for an account that no longer exists. */
export async function deletionState(queries: Queries, userId: string): Promise<DeletionState | null> {
  const rows = await queries.query(
    `select u.email::text as email, nullif(u.encrypted_password::text, '') as "passwordHash",
       exists (select from public.profiles p where p.id = u.id and p.role = 'admin')
         and not exists (select from public.profiles p where p.id <> u.id and p.role = 'admin') as "isLastAdmin",
       exists (select from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
         where c.user_id = u.id and s.status not in ('canceled', 'incomplete_expired')) as "hasPlan"
     from auth.users u where u.id = $1::text::uuid`,
    [userId],
  );
  return rows.length === 0 ? null : stateRow.parse(rows[0]);
}

/** So that two admins who delete their accounts at the same moment don't leave the site without one. */
export async function lockAdmins(tx: Transaction): Promise<void> {
  await tx.query("select 1 from public.profiles where role = 'admin' order by id for update", []);
}
