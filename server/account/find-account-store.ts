/** An account by what an operator knows of it: its address or its id. */
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

const accountSchema = z.object({ id: z.string(), email: z.nullable(z.string()) });
export type FoundAccount = z.infer<typeof accountSchema>;

/** None, one, or several: those of organisations may share an address. */
export async function findAccounts(queries: Queries, account: string): Promise<FoundAccount[]> {
  const rows = await queries.query(
    `select id::text as id, email::text as email from auth.users
      where lower(email) = lower($1::text) or id::text = lower($1::text) order by created_at, id limit 10`,
    [account],
  );
  return z.array(accountSchema).parse(rows);
}
