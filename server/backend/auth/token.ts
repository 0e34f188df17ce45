import type { Context } from 'hono';
import { asOwner, OWNER, type Transaction } from '../../platform/database/database.ts';
import { countGuess } from '../guess-limits.ts';
import { type AuthDeps, normalEmail, nowIso, phoneDisabled, readObject, requesterOf, textField } from './auth-deps.ts';
import { AuthError, validationFailed } from './auth-error.ts';
import { requireCaptcha } from './captcha.ts';
import { EXTENSION_GRANTS } from './extensions/extension-routes.ts';
import { requireCodeVerifier } from './sessions/code-challenge.ts';
import { lockAccountOfAuthCode, providerTokensSchema, redeemAuthCode } from './sessions/flow-store.ts';
import { refreshSession, sessionProofs } from './sessions/session-store.ts';
import { requireNotBanned, type SessionAnswer, type SignedInAs, sessionAnswer, signInAs } from './sessions/sessions.ts';
import { findUser, findUserByEmail } from './user-store.ts';

export function token(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  const grant = c.req.query('grant_type') ?? '';
  const give = GRANTS.get(grant) ?? EXTENSION_GRANTS.get(grant);
  if (give === undefined) throw validationFailed('unsupported_grant_type');
  return give(c, deps);
}

/** @throws AuthError 400 invalid_credentials, after the same time whether or not the address is known */
async function byPassword(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.signInPerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  await requireCaptcha(c, deps, body);
  const submitted = textField(body, 'email');
  const password = textField(body, 'password');
  if (submitted === null && textField(body, 'phone') !== null) throw phoneDisabled();
  if (submitted === null || password === null) throw validationFailed('email and password are required');
  // An invalid address has no account, and takes as long.
  const email = normalEmail(submitted) ?? submitted.slice(0, 255);
  const { signInPerPair, signInPerAccount } = deps.limits;
  const limits = { ofPair: [signInPerPair], ofAccount: [signInPerAccount] };
  const address = deps.clientAddress(c);
  const guess = await countGuess(limits, { account: email, address });

  const now = nowIso(deps);
  const found = await findUserByEmail(asOwner(deps.database), email, now);
  const isMatch = await deps.passwords.matches(password, found?.passwordHash ?? null, requesterOf(c, deps));
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

const GRANTS: ReadonlyMap<string, typeof byPassword> = new Map([
  ['password', byPassword],
  ['refresh_token', byRefreshToken],
  ['pkce', byAuthCode],
]);

function invalidCredentials(): AuthError {
  return new AuthError(400, 'invalid_credentials', 'Invalid login credentials');
}

/** @throws AuthError 404 flow_state_not_found, 400 bad_code_verifier, 400 user_banned */
async function byAuthCode(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.verifyPerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  const code = textField(body, 'auth_code');
  const verifier = textField(body, 'code_verifier');
  if (code === null || code === '' || verifier === null || verifier === '')
    throw validationFailed('invalid request: both auth code and code verifier should be non-empty');
  const now = nowIso(deps);
  const outcome = await deps.database.transaction(OWNER, (tx) => exchange(tx, c, deps, { code, verifier }, now));
  if (outcome instanceof AuthError) throw outcome;
  const answer = await sessionAnswer(c, deps, outcome.stored.user, outcome.session);
  return { ...answer, ...(await providerFields(deps, outcome.providerTokens)) };
}

/** @returns a refusal instead of throwing it, so that the code stays spent */
async function exchange(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  { code, verifier }: { code: string; verifier: string },
  now: string,
): Promise<(SignedInAs & { providerTokens: string | null }) | AuthError> {
  await lockAccountOfAuthCode(tx, code);
  const redeemed = await redeemAuthCode(tx, code, now);
  if (redeemed === null)
    return new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  const { userId, providerTokens, sessionNotAfterIso: notAfterIso } = redeemed;
  try {
    requireCodeVerifier(verifier, redeemed.challenge);
    const proof = { method: redeemed.method, ...(redeemed.kind === 'saml' ? { provider: redeemed.provider } : {}) };
    return { ...(await signInAs(tx, c, deps, { userId, proof, notAfterIso }, now)), providerTokens };
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

async function providerFields(
  deps: AuthDeps,
  sealed: string | null,
): Promise<Pick<SessionAnswer, 'provider_token' | 'provider_refresh_token'>> {
  if (sealed === null) return {};
  const opened: unknown = JSON.parse(await deps.keys.unseal(sealed));
  const { providerToken, providerRefreshToken } = providerTokensSchema.parse(opened);
  return {
    ...(providerToken === null ? {} : { provider_token: providerToken }),
    ...(providerRefreshToken === null ? {} : { provider_refresh_token: providerRefreshToken }),
  };
}
