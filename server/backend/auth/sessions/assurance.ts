/** The assurance level of a request, checked before changes to how the account is opened. */
import type { Transaction } from '../../../platform/database/database.ts';
import type { SignedIn } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { lockAssurance } from './assurance-store.ts';
import type { AssuranceLevel } from './session-store.ts';

/**
 * The lower of the token's level and the session's current one: neither an old nor a stolen token is enough. Locks the
 * account, then its sessions.
 *
 * @throws AuthError 403 session_not_found
 */
export async function assuranceUnderLock(tx: Transaction, signedIn: SignedIn): Promise<AssuranceLevel> {
  const aal = await lockAssurance(tx, signedIn);
  if (aal === null) throw sessionEnded();
  return aal === 'aal2' && signedIn.aal === 'aal2' ? 'aal2' : 'aal1';
}

export function sessionEnded(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}
