/** POST /token?grant_type=id_token: a session for a token signed by a provider, or one more identity for an account. */
import { createHash, hash } from 'node:crypto';
import type { Context } from 'hono';
import { type AuthDeps, nowIso, readObject, requireSession, textField } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { requireCaptcha } from '../captcha.ts';
import { providerRefusal } from '../providers/oauth.ts';
import { type IdTokenStatement, type IdTokens, PROVIDER_NAMES } from '../providers/oauth-provider.ts';
import { type AroundAccount, linkIdentity, withAccountOf } from '../providers/provider-accounts.ts';
import { ProviderFailure } from '../providers/provider-call.ts';
import { type SessionAnswer, type SignedInAs, sessionAnswer, signInAs } from '../sessions/sessions.ts';
import { spendProof } from './spent-proof-store.ts';

/**
 * @throws AuthError 400 validation_failed, provider_disabled; 403 user_banned; linking: 422 identity_already_exists,
 * 401 insufficient_aal, 400 reauthentication_needed
 */
export async function byIdToken(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
  await deps.limits.signInPerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  const token = textField(body, 'id_token');
  const name = textField(body, 'provider');
  if (token === null || token === '') throw validationFailed('id_token required');
  if (name === null || name === '') throw validationFailed('provider or client_id and issuer required');
  await requireCaptcha(c, deps, body);
  const idTokens = requireIdTokens(deps, name);
  const linking = body.link_identity === true ? await requireSession(c, deps) : null;
  const statement = await readStatement(idTokens, token, deps);
  requireAudience(statement, idTokens.clientId);
  requireNonce(statement, textField(body, 'nonce'));
  requireAccessToken(statement, textField(body, 'access_token'));

  const now = nowIso(deps);
  const expiresAtIso = new Date(statement.expiresAtS * 1000).toISOString();
  const around: AroundAccount<SignedInAs> = {
    async before(tx) {
      if (!(await spendProof(tx, 'id_token', token, expiresAtIso, now))) throw validationFailed('Bad ID token');
    },
    andThen: (tx, userId) => signInAs(tx, c, deps, { userId, proof: { method: 'oauth' } }, now),
  };
  const { stored, session } =
    linking === null
      ? await withAccountOf(deps, statement.profile, now, around)
      : await linkIdentity(deps, linking, statement.profile, now, around);
  return sessionAnswer(c, deps, stored.user, session);
}

function requireIdTokens(deps: AuthDeps, name: string): IdTokens {
  const known = PROVIDER_NAMES.find((one) => one === name);
  const provider = known === undefined ? null : deps.providers[known];
  // GitHub issues no id tokens.
  if (name !== 'google') throw validationFailed(`Custom OIDC provider "${name.slice(0, 50)}" not allowed`);
  if (provider === null || provider.idTokens === null)
    throw new AuthError(400, 'provider_disabled', 'Provider (issuer "https://accounts.google.com") is not enabled');
  return provider.idTokens;
}

async function readStatement(idTokens: IdTokens, token: string, deps: AuthDeps): Promise<IdTokenStatement> {
  let statement: IdTokenStatement | null;
  try {
    statement = await idTokens.read(token, deps.clock.nowMs());
  } catch (error) {
    if (error instanceof ProviderFailure) throw providerRefusal(error, deps);
    throw error;
  }
  if (statement === null) throw validationFailed('Bad ID token');
  return statement;
}

function requireAudience({ audiences }: IdTokenStatement, clientId: string): void {
  if (!audiences.includes(clientId)) throw validationFailed('Unacceptable audience in id_token');
}

/** The provider received the SHA-256 of the nonce, in hexadecimal; this request has the nonce itself. */
function requireNonce({ nonce: claimed }: IdTokenStatement, submitted: string | null): void {
  const nonce = submitted === '' ? null : submitted;
  if ((claimed === null) !== (nonce === null))
    throw validationFailed('Passed nonce and nonce in id_token should either both exist or not.');
  if (claimed === null || nonce === null) return;
  if (hash('sha256', nonce) !== claimed) throw validationFailed('Nonces mismatch');
}

/** OpenID Connect Core, section 3.1.3.6: the left half of the hash that the token's own signature uses. */
function requireAccessToken({ accessTokenHash, algorithm }: IdTokenStatement, accessToken: string | null): void {
  if (accessToken === null || accessToken === '' || accessTokenHash === null) return;
  const bits = /(?:256|384|512)$/.exec(algorithm)?.[0] ?? '512';
  const digest = createHash(`sha${bits}`).update(accessToken).digest();
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== accessTokenHash)
    throw validationFailed('Bad ID token');
}
