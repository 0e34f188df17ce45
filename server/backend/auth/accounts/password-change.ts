/** The checks before a new password is set. */
import type { Context } from 'hono';
import { asOwner } from '../../../platform/database/database.ts';
import { type AuthDeps, askerOf } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { type OneTimeToken, tryCode } from '../mail/one-time-token-store.ts';
import { checkNewPassword } from '../passwords/passwords.ts';
import type { StoredUser } from '../user-store.ts';

/**
 * Checks the code of GET /reauthenticate; the password change itself spends it.
 *
 * @throws AuthError 422 reauthentication_not_valid
 */
export async function requireNonce(
  deps: AuthDeps,
  user: StoredUser['user'],
  nonce: string,
  nowIso: string,
): Promise<OneTimeToken> {
  const email = user.email.toLowerCase();
  await deps.limits.codesPerAccount.consume(email);
  const tried = { email, code: nonce.trim(), purposes: ['reauthentication'] as const };
  const token = await tryCode(asOwner(deps.database), deps.keys, tried, nowIso);
  if (token === null || token.userId !== user.id) throw nonceNotValid();
  await deps.limits.codesPerAccount.forgive(email);
  return token;
}

export function nonceNotValid(): AuthError {
  return new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

/** @throws AuthError 422 same_password, 422 weak_password, 400 validation_failed */
export async function newPasswordHash(
  c: Context,
  deps: AuthDeps,
  password: string,
  stored: StoredUser,
): Promise<string> {
  const asker = askerOf(c, deps);
  await deps.limits.passwordPerAccount.consume(stored.user.id);
  checkNewPassword(password);
  if (await deps.passwords.matches(password, stored.passwordHash, asker))
    throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
  return deps.passwords.hash(password, asker);
}
