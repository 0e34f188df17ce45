import type { Context } from 'hono';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { type AuthError, toAuthError } from '../auth-error.ts';
import { type Flow, issueAuthCode, type ProviderTokens } from './flow-store.ts';
import { type SignedInAs, sessionAnswer, signInAs } from './sessions.ts';

/** The part that is known before the user is. */
export interface FlowRedirect {
  redirectTo: string;
  /** With a challenge the page gets a code; without one, or for null, a session in the fragment. */
  flow: Flow | null;
  /** For the session's amr. */
  method: string;
  /** Also sealed, for storage with a code until it is exchanged. */
  providerTokens: { open: ProviderTokens; sealed: string } | null;
  /** `recovery`, `signup` ...: tells the page the kind of link. */
  type: string | null;
}

export interface ProvenByRedirect {
  userId: string;
  /** When the session must end, if an organisation limits it. */
  sessionNotAfterIso?: string | null;
}

export type SignInArrival = { code: string } | SignedInAs;

/** Runs in the transaction of the proof, so nothing happens between the proof and the session. */
export async function arrive(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  flowRedirect: FlowRedirect,
  proven: ProvenByRedirect,
  nowIso: string,
): Promise<SignInArrival> {
  const { flow, method } = flowRedirect;
  const { userId, sessionNotAfterIso = null } = proven;
  if (flow !== null && flow.challenge !== null) {
    const providerTokens = flowRedirect.providerTokens?.sealed ?? null;
    return { code: await issueAuthCode(tx, { flowId: flow.id, userId, providerTokens, sessionNotAfterIso }, nowIso) };
  }
  const proof = { method, ...(flow?.kind === 'saml' ? { provider: flow.provider } : {}) };
  return signInAs(tx, c, deps, { userId, proof, notAfterIso: sessionNotAfterIso }, nowIso);
}

/** @param status  303 after a mail's link, 302 after a provider */
export async function redirectSignedIn(
  c: Context,
  deps: AuthDeps,
  flowRedirect: FlowRedirect,
  arrival: SignInArrival,
  status: 302 | 303,
): Promise<Response> {
  if ('code' in arrival) {
    const target = new URL(flowRedirect.redirectTo);
    target.searchParams.set('code', arrival.code);
    return redirect(target.href, status);
  }
  const answer = await sessionAnswer(c, deps, arrival.stored.user, arrival.session);
  const fragment = new URLSearchParams({
    access_token: answer.access_token,
    expires_in: String(answer.expires_in),
    expires_at: String(answer.expires_at),
    refresh_token: answer.refresh_token,
    token_type: answer.token_type,
  });
  if (flowRedirect.type !== null) fragment.set('type', flowRedirect.type);
  const { providerToken = null, providerRefreshToken = null } = flowRedirect.providerTokens?.open ?? {};
  if (providerToken !== null) fragment.set('provider_token', providerToken);
  if (providerRefreshToken !== null) fragment.set('provider_refresh_token', providerRefreshToken);
  return redirect(withFragment(flowRedirect.redirectTo, fragment), status);
}

export function redirectBare(redirectTo: string, status: 302 | 303): Response {
  return redirect(redirectTo, status);
}

/** Puts the reason in the fragment, which no server sees. */
export function redirectWithError(redirectTo: string, error: AuthError, status: 302 | 303): Response {
  const fragment = new URLSearchParams({
    error: error.status >= 500 ? 'server_error' : 'access_denied',
    error_code: error.errorCode,
    error_description: error.message,
  });
  return redirect(withFragment(redirectTo, fragment), status);
}

/** Reports a refusal to the page; rethrows a bug. */
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
