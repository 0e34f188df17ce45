/** What a session must prove before it links or unlinks an identity. */
import type { Transaction } from '../../../platform/database/database.ts';
import type { SignedIn } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { assuranceUnderLock } from './assurance.ts';
import { hasVerifiedFactor } from './assurance-store.ts';
import { requireFreshProof } from './fresh-proof.ts';

/**
 * Requires the second factor, if one is set up, and a proof within the last day.
 *
 * @throws AuthError 401 insufficient_aal, 400 reauthentication_needed, 403 session_not_found
 */
export async function requireStrongSession(tx: Transaction, signedIn: SignedIn, nowIso: string): Promise<void> {
  const aal = await assuranceUnderLock(tx, signedIn);
  if (aal !== 'aal2' && (await hasVerifiedFactor(tx, signedIn.userId)))
    throw new AuthError(
      401,
      'insufficient_aal',
      'AAL2 session is required to link or unlink an identity when MFA is enabled.',
    );
  await requireFreshProof(tx, signedIn.sessionId, nowIso, 'Linking or unlinking an identity');
}
