/** An account's unfinished requests, by mail or through another page. The caller has locked its row. */
import type { Queries } from '../../../platform/database/database.ts';
import { deleteTokensOf } from '../mail/one-time-token-store.ts';
import { deleteFlowsOf } from '../sessions/flow-store.ts';

/** Voids all codes, links and auth codes that were issued, and an open change of address. */
export async function closeOpenRequests(queries: Queries, userId: string): Promise<void> {
  await deleteTokensOf(queries, userId);
  await deleteFlowsOf(queries, userId);
  await queries.query('update auth.users set email_change = null, email_change_proofs = 0 where id = $1::text::uuid', [
    userId,
  ]);
}
