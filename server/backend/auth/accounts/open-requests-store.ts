/** What an account has begun by mail or through another page and not finished. Its row is locked by the caller. */
import type { Queries } from '../../../platform/database/database.ts';
import { deleteTokensOf } from '../mail/one-time-token-store.ts';
import { deleteFlowsOf } from '../sessions/flow-store.ts';

/** Codes and links on their way, auth codes, and a change of address: all of them void. */
export async function closeOpenRequests(queries: Queries, userId: string): Promise<void> {
  await deleteTokensOf(queries, userId);
  await deleteFlowsOf(queries, userId);
  await queries.query('update auth.users set email_change = null, email_change_proofs = 0 where id = $1::text::uuid', [
    userId,
  ]);
}
