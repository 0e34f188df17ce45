/** Changes who is an admin, by the operator's command. A database trigger writes the audit row. */
import * as z from 'zod/mini';
import { type Database, OWNER } from '../../platform/database/database.ts';

const accountSchema = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  isConfirmed: z.boolean(),
  role: z.string(),
});

export interface RoleChange {
  /** The account's address or its id. */
  account: string;
  role: 'admin' | 'user';
}

export type RoleOutcome =
  | { kind: 'changed' | 'unchanged'; id: string; email: string | null; isConfirmed: boolean }
  | { kind: 'unknown' }
  /** Several accounts have this address: accounts of organisations may share one. */
  | { kind: 'several'; ids: string[] };

/** Runs in one transaction, and may be repeated safely. */
export function changeRole(database: Database, { account, role }: RoleChange): Promise<RoleOutcome> {
  return database.transaction(OWNER, async (tx): Promise<RoleOutcome> => {
    const found = z.array(accountSchema).parse(
      await tx.query(
        `select u.id::text as id, u.email::text as email, u.email_confirmed_at is not null as "isConfirmed", p.role
           from auth.users u join public.profiles p on p.id = u.id
          where lower(u.email) = lower($1::text) or u.id::text = lower($1::text)
          order by u.created_at, u.id limit 10`,
        [account],
      ),
    );
    const [one] = found;
    if (one === undefined) return { kind: 'unknown' };
    if (found.length > 1) return { kind: 'several', ids: found.map(({ id }) => id) };
    const { id, email, isConfirmed } = one;
    if (one.role === role) return { kind: 'unchanged', id, email, isConfirmed };
    await tx.query("select set_config('kat.done_by', 'command', true)", []);
    await tx.query('update public.profiles set role = $2::text where id = $1::text::uuid', [id, role]);
    return { kind: 'changed', id, email, isConfirmed };
  });
}
