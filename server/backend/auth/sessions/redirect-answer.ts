/** Sends a browser back to the page it came from: with a code to exchange, with a session (implicit flow), or an error. */
import type { Context } from 'hono';
import { OWNER } from '../../../platform/database.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { AuthError, toAuthError } from '../auth-error.ts';
import { findUser, markSignedIn } from '../user-store.ts';
import { type Flow, issueAuthCode } from './flow-store.ts';
import type { ProviderTokens } from './pkce.ts';
import { openSession, sessionAnswer } from './sessions.ts';

export interface ProvenByRedirect {
  userId: string;
  redirectTo: string;
  /** With a challenge the page gets a code; without one, or with null, a session in the fragment. */
  flow: Flow | null;
  /** For the session's amr. */
  method: string;
  providerTokens: ProviderTokens | null;
  /** When the session must end, where an organisation says so. */
  sessionNotAfterIso?: string | null;
  /** `recovery`, `signup` ...: the page learns what kind of link it was. */
  type: string | null;
}

/** @param status  303 after a mail's link, 302 after a provider */
export async function redirectSignedIn(
  c: Context,
  deps: AuthDeps,
  proven: ProvenByRedirect,
  nowIso: string,
  status: 302 | 303,
): Promise<Response> {
  const { flow, sessionNotAfterIso = null } = proven;
  if (flow !== null && flow.challenge !== null) {
    const sealed = proven.providerTokens === null ? null : await deps.keys.seal(JSON.stringify(proven.providerTokens));
    const code = await deps.database.transaction(OWNER, (tx) =>
      issueAuthCode(tx, { flowId: flow.id, userId: proven.userId, providerTokens: sealed, sessionNotAfterIso }, nowIso),
    );
    const target = new URL(proven.redirectTo);
    target.searchParams.set('code', code);
    return redirect(target.href, status);
  }
  const { user, session } = await deps.database.transaction(OWNER, async (tx) => {
    await markSignedIn(tx, proven.userId, nowIso);
    const stored = await findUser(tx, proven.userId, nowIso);
    if (stored === null) throw new AuthError(404, 'user_not_found', 'User not found');
    if (stored.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
    const proof = { method: proven.method, ...(flow?.kind === 'saml' ? { provider: flow.provider } : {}) };
    return {
      user: stored.user,
      session: await openSession(
        tx,
        c,
        deps,
        { userId: proven.userId, proof, notAfterIso: sessionNotAfterIso },
        nowIso,
      ),
    };
  });
  const answer = await sessionAnswer(deps, user, session);
  const fragment = new URLSearchParams({
    access_token: answer.access_token,
    expires_in: String(answer.expires_in),
    expires_at: String(answer.expires_at),
    refresh_token: answer.refresh_token,
    token_type: answer.token_type,
  });
  if (proven.type !== null) fragment.set('type', proven.type);
  const { providerToken = null, providerRefreshToken = null } = proven.providerTokens ?? {};
  if (providerToken !== null) fragment.set('provider_token', providerToken);
  if (providerRefreshToken !== null) fragment.set('provider_refresh_token', providerRefreshToken);
  return redirect(withFragment(proven.redirectTo, fragment), status);
}

/** The page learns why from the fragment, which no server sees. */
export function redirectWithError(redirectTo: string, error: AuthError, status: 302 | 303): Response {
  const fragment = new URLSearchParams({
    error: error.status >= 500 ? 'server_error' : 'access_denied',
    error_code: error.errorCode,
    error_description: error.message,
  });
  return redirect(withFragment(redirectTo, fragment), status);
}

/** A refusal on the way back is told to the page; a bug stays one. */
export function errorForRedirect(error: unknown): AuthError {
  const known = toAuthError(error);
  if (known === null) throw error;
  return known;
}

function withFragment(address: string, fragment: URLSearchParams): string {
  const url = new URL(address);
  url.hash = fragment.toString();
  return url.href;
}

function redirect(location: string, status: 302 | 303): Response {
  return new Response(null, { status, headers: { location, 'cache-control': 'no-store' } });
}
