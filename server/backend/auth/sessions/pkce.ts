/** POST /token?grant_type=pkce: exchanges the code from a mail or a provider for a session. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER, type Transaction } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, readObject, textField } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { requireCodeVerifier } from './code-challenge.ts';
import { lockAccountOfAuthCode, redeemAuthCode } from './flow-store.ts';
import { type SessionAnswer, sessionAnswer } from './sessions.ts';
import { type SignedInAs, signInAs } from './sign-in.ts';

/** The provider's own tokens; stored sealed. */
export const providerTokensSchema = z.object({
  providerToken: z.nullable(z.string()),
  providerRefreshToken: z.nullable(z.string()),
});
export type ProviderTokens = z.infer<typeof providerTokensSchema>;

/** @throws AuthError 404 flow_state_not_found, 400 bad_code_verifier, 400 user_banned */
export async function byAuthCode(c: Context, deps: AuthDeps): Promise<SessionAnswer> {
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
