/** The age of a session's proof, checked before changes to how the account is opened. */
import type { Queries } from '../../../platform/database/database.ts';
import { AuthError } from '../auth-error.ts';
import { sessionProofs } from './session-store.ts';

/** Beyond this age another person may be using an open browser. Same as on a hosted project. */
const FRESH_PROOF_S = 24 * 60 * 60;

/**
 * The newest proof counts, whatever its method: a user who just used a recovery mail needs no further code.
 *
 * @param what  names the action in the refusal
 * @throws AuthError 400 reauthentication_needed
 */
export async function requireFreshProof(
  queries: Queries,
  sessionId: string,
  nowIso: string,
  what: string,
): Promise<void> {
  const proofs = await sessionProofs(queries, sessionId);
  const newestS = proofs?.amr[0]?.timestamp ?? 0;
  if (Date.parse(nowIso) / 1000 - newestS > FRESH_PROOF_S)
    throw new AuthError(400, 'reauthentication_needed', `${what} requires reauthentication`);
}
