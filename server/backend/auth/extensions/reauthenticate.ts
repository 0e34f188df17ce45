import type { Context } from 'hono';
import { asOwner, OWNER } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { limitMailsFrom, limitMailsTo, sendAccountMail } from '../mail/account-mailer.ts';
import { type OneTimeToken, tryCode } from '../mail/one-time-token-store.ts';
import { findUser, lockAccount, type StoredUser } from '../user-store.ts';

/**
 * An unconfirmed address gets its code too: reading it there proves as much.
 * @throws AuthError 422 validation_failed without an address, 429 over_email_send_rate_limit
 */
export async function reauthenticate(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  const { userId } = await requireSession(c, deps);
  await limitMailsFrom(c, deps);
  const now = nowIso(deps);
  const email = (await findUser(asOwner(deps.database), userId, now))?.user.email ?? '';
  if (email === '')
    throw new AuthError(422, 'validation_failed', 'Reauthentication requires the user to have an email address');
  await limitMailsTo(deps, 'reauthentication', email.toLowerCase());
  await deps.database.transaction(OWNER, async (tx) => {
    const account = await lockAccount(tx, userId, now);
    // The address changed meanwhile: the user has to request the code again.
    if (account?.email !== email) throw new AuthError(409, 'conflict', 'The email address has just changed');
    await sendAccountMail(tx, deps, { userId, purpose: 'reauthentication', to: email, target: null }, now);
  });
  return {};
}

/** The password change itself spends the code. @throws AuthError 422 reauthentication_not_valid */
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
