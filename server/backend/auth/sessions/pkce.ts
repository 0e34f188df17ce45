/** POST /token?grant_type=pkce: the code that a mail or a provider brought back, for a session. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER } from '../../../platform/database.ts';
import { type AuthDeps, nowIso, readObject, textField } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { findUser, markSignedIn } from '../user-store.ts';
import { requireCodeVerifier } from './code-challenge.ts';
import { redeemAuthCode } from './flow-store.ts';
import { openSession, type SessionAnswer, sessionAnswer } from './sessions.ts';

/** What a provider gave for itself; travels sealed. */
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
  const redeemed = await deps.database.transaction(OWNER, (tx) => redeemAuthCode(tx, code, now));
  if (redeemed === null)
    throw new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
  requireCodeVerifier(verifier, redeemed.challenge);
  const { user, session } = await deps.database.transaction(OWNER, async (tx) => {
    const proof = { method: redeemed.method, ...(redeemed.kind === 'saml' ? { provider: redeemed.provider } : {}) };
    await markSignedIn(tx, redeemed.userId, now);
    const stored = await findUser(tx, redeemed.userId, now);
    if (stored === null) throw new AuthError(404, 'user_not_found', 'User not found');
    if (stored.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
    return {
      user: stored.user,
      session: await openSession(
        tx,
        c,
        deps,
        { userId: redeemed.userId, proof, notAfterIso: redeemed.sessionNotAfterIso },
        now,
      ),
    };
  });
  const answer = await sessionAnswer(deps, user, session);
  return { ...answer, ...(await providerFields(deps, redeemed.providerTokens)) };
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
