/** POST /token: a session for a password, or for a refresh token. */
import type { Context } from 'hono';
import { asOwner, OWNER } from '../../platform/database/database.ts';
import { type AuthDeps, askerOf, normalEmail, nowIso, phoneDisabled, readObject, textField } from './auth-deps.ts';
import { AuthError, validationFailed } from './auth-error.ts';
import { requireCaptcha } from './captcha.ts';
import { countGuess } from './guesses.ts';
import { byIdToken } from './providers/id-token.ts';
import { byAuthCode } from './sessions/pkce.ts';
import { refreshSession, sessionProofs } from './sessions/session-store.ts';
import { type SessionAnswer, sessionAnswer } from './sessions/sessions.ts';
import { requireNotBanned, signInAs } from './sessions/sign-in.ts';
import { findUser, findUserByEmail } from './user-store.ts';
import { byWeb3 } from './wallets/web3.ts';

export function token(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  switch (c.req.query('grant_type')) {
    case 'password':
      return byPassword(c, deps);
    case 'refresh_token':
      return byRefreshToken(c, deps);
    case 'pkce':
      return byAuthCode(c, deps);
    case 'id_token':
      return byIdToken(c, deps);
    case 'web3':
      return byWeb3(c, deps);
    default:
      throw validationFailed('unsupported_grant_type');
  }
}

/** @throws AuthError 400 invalid_credentials, after the same time whether or not the address is known */
async function byPassword(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.signInPerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  await requireCaptcha(c, deps, body);
  const given = textField(body, 'email');
  const password = textField(body, 'password');
  if (given === null && textField(body, 'phone') !== null) throw phoneDisabled();
  if (given === null || password === null) throw validationFailed('email and password are required');
  // An invalid address has no account, and takes as long.
  const email = normalEmail(given) ?? given.slice(0, 255);
  const { signInPerPair, signInPerAccount } = deps.limits;
  const limits = { ofPair: [signInPerPair], ofAccount: [signInPerAccount] };
  const address = deps.clientAddress(c);
  const guess = await countGuess(limits, { account: email, address });

  const now = nowIso(deps);
  const found = await findUserByEmail(asOwner(deps.database), email, now);
  const isMatch = await deps.passwords.matches(password, found?.passwordHash ?? null, askerOf(c, deps));
  if (found === null || !isMatch) throw invalidCredentials();
  requireNotBanned(found);
  await guess.wasRight();
  if (deps.settings.isConfirmationRequired && found.user.email_confirmed_at === undefined)
    throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed');

  const { stored, session } = await deps.database.transaction(OWNER, async (tx) => {
    const wanted = { userId: found.user.id, proof: { method: 'password' } };
    const signedIn = await signInAs(tx, c, deps, wanted, now);
    // Read under the lock, after any password change that came first.
    if (signedIn.stored.passwordHash !== found.passwordHash) throw invalidCredentials();
    return signedIn;
  });
  return sessionAnswer(c, deps, stored.user, session);
}

/** @throws AuthError 400 refresh_token_not_found, refresh_token_already_used, session_expired, user_banned */
async function byRefreshToken(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.refreshPerAddress.consume(deps.clientAddress(c));
  const presented = textField(await readObject(c), 'refresh_token');
  if (presented === null || presented === '') throw validationFailed('refresh_token required');
  const now = nowIso(deps);
  const { outcome, stored, proofs } = await deps.database.transaction(OWNER, async (tx) => {
    const refreshed = await refreshSession(tx, deps.keys, presented, now);
    if (refreshed.kind !== 'refreshed') return { outcome: refreshed, stored: null, proofs: null };
    return {
      outcome: refreshed,
      stored: await findUser(tx, refreshed.userId, now),
      proofs: await sessionProofs(tx, refreshed.sessionId),
    };
  });
  switch (outcome.kind) {
    case 'unknown':
      throw new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
    case 'expired':
      throw new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
    case 'reused':
      deps.verifier.endSessions([outcome.sessionId]);
      throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    case 'refreshed':
      if (stored === null || proofs === null)
        throw new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: User Not Found');
      requireNotBanned(stored);
      return sessionAnswer(c, deps, stored.user, { ...outcome, ...proofs });
  }
}

function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
}
