/** What a session must show before it may change how its account is opened. */
import type { Queries } from '../../../platform/database.ts';
import type { SignedIn } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { hasVerifiedFactor, lockAssurance } from './assurance-store.ts';
import { sessionProofs } from './session-store.ts';

/** A session proven longer ago than this may be an open browser that somebody else sits at. */
const FRESH_PROOF_S = 24 * 60 * 60;

/**
 * The second factor where one is set up, in the token and in the session's row: neither an old token nor a stolen one is
 * enough. And a proof of the last day, whatever its method. The account's row is locked by the caller.
 *
 * @throws AuthError 401 insufficient_aal, 400 reauthentication_needed, 403 session_not_found
 */
export async function requireStrongSession(queries: Queries, signedIn: SignedIn, nowIso: string): Promise<void> {
  const aal = await lockAssurance(queries, signedIn);
  const proofs = await sessionProofs(queries, signedIn.sessionId);
  if (aal === null || proofs === null)
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  const hasBothFactors = aal === 'aal2' && signedIn.aal === 'aal2';
  if (!hasBothFactors && (await hasVerifiedFactor(queries, signedIn.userId)))
    throw new AuthError(
      401,
      'insufficient_aal',
      'AAL2 session is required to link or unlink an identity when MFA is enabled.',
    );
  const newestS = proofs.amr[0]?.timestamp ?? 0;
  if (Date.parse(nowIso) / 1000 - newestS > FRESH_PROOF_S)
    throw new AuthError(400, 'reauthentication_needed', 'Linking or unlinking an identity requires a recent sign-in');
}
