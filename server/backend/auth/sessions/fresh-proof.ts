/** How long ago a session was proven, asked where it changes what opens the account. */
import type { Queries } from '../../../platform/database/database.ts';
import { AuthError } from '../auth-error.ts';
import { sessionProofs } from './session-store.ts';

/** A session proven longer ago than this may be an open browser that somebody else sits at. As on a hosted project. */
const FRESH_PROOF_S = 24 * 60 * 60;

/**
 * The newest proof counts, whatever its method: one who came by a recovery mail just now needs no further code.
 *
 * @param what  for the refusal: what it is needed for
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
