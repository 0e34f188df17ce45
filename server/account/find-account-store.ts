/** Finds an account by its address or id, for operator commands. */
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

const accountSchema = z.object({ id: z.string(), email: z.nullable(z.string()) });
export type FoundAccount = z.infer<typeof accountSchema>;

/** Returns none, one or several: accounts of organisations may share an address. */
export async function findAccounts(queries: Queries, account: string): Promise<FoundAccount[]> {
  const rows = await queries.query(
    `select id::text as id, email::text as email from auth.users
      where lower(email) = lower($1::text) or id::text = lower($1::text) order by created_at, id limit 10`,
    [account],
  );
  return z.array(accountSchema).parse(rows);
}
