import type { Context } from 'hono';
import * as z from 'zod/mini';
import { asOwner, type Transaction } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, type SignedIn } from '../auth-deps.ts';
import { AuthError, validationFailed } from '../auth-error.ts';
import { readCodeChallenge } from '../sessions/code-challenge.ts';
import { type Flow, insertFlow, newFlowState, takeFlowByState } from '../sessions/flow-store.ts';
import {
  arrive,
  errorForRedirect,
  redirectBare,
  redirectSignedIn,
  redirectWithError,
} from '../sessions/redirect-answer.ts';
import { endedStateCookie, hasStateCookie, setStateCookie } from '../sessions/state-cookie.ts';
import { type OAuthProvider, PROVIDER_NAMES } from './oauth-provider.ts';
import { linkIdentity, withAccountOf } from './provider-accounts.ts';
import { ProviderFailure } from './provider-call.ts';

const CALLBACK = '/auth/v1/callback';
const MAX_SCOPES = 30;
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** State for the callback; stored sealed with the flow. */
const providerStateSchema = z.object({
  redirectUri: z.string(),
  verifier: z.nullable(z.string()),
  nonce: z.nullable(z.string()),
  /** When linking an identity: the user's session, and the token's assurance level. */
  linking: z.nullable(z.object({ sessionId: z.string(), aal: z.enum(['aal1', 'aal2']) })),
});

/** @throws AuthError 400 validation_failed */
export async function authorize(c: Context, deps: AuthDeps): Promise<Response> {
  return leaveForProvider(c, deps, null);
}

/**
 * A redirect, or `{url}` with skip_http_redirect=true. @param linking whose account gets the identity; null: sign-in
 */
export async function leaveForProvider(c: Context, deps: AuthDeps, linking: SignedIn | null): Promise<Response> {
  await deps.limits.authorizePerAddress.consume(deps.clientAddress(c));
  const provider = requireProvider(deps, c.req.query('provider') ?? '');
  const challenge = readCodeChallenge(c.req.query('code_challenge'), c.req.query('code_challenge_method'));
  if (linking !== null && challenge === null)
    throw validationFailed('Linking an identity needs a code challenge (PKCE)');
  const scopes = readScopes(c.req.query('scopes') ?? '');
  const origin = deps.originOf(c);
  const redirectTo = deps.redirects.resolve(origin, c.req.query('redirect_to'));
  const isCall = c.req.query('skip_http_redirect') === 'true';
  const redirectUri = `${origin}${CALLBACK}`;
  const state = newFlowState();
  const params = new URL(c.req.url).searchParams;
  // A victim who follows the address of an attacker's link request must at least see the provider's page.
  if (linking !== null && /\bnone\b/i.test(params.getAll('prompt').join(' '))) params.delete('prompt');
  let started: Awaited<ReturnType<OAuthProvider['begin']>>;
  try {
    started = await provider.begin({ redirectUri, state, scopes, params });
  } catch (error) {
    const refusal = errorForRedirect(refusalOf(error, deps));
    if (isCall) throw refusal;
    return redirectWithError(redirectTo, refusal, 302);
  }
  const providerState: z.infer<typeof providerStateSchema> = { redirectUri, ...started.secrets, linking };
  const flow = {
    kind: 'oauth' as const,
    provider: provider.name,
    method: 'oauth',
    redirectTo,
    challenge,
    state,
    providerState: await deps.keys.seal(JSON.stringify(providerState)),
    linkingUserId: linking?.userId ?? null,
  };
  await insertFlow(asOwner(deps.database), flow, nowIso(deps));
  if (needsCookie(flow)) setStateCookie(c, origin, CALLBACK, state);
  c.header('cache-control', 'no-store');
  return isCall ? c.json({ url: started.url }) : c.redirect(started.url, 302);
}

/** Reports every failure to the page that started the sign-in; without a usable state, to our front page. */
export async function callback(c: Context, deps: AuthDeps): Promise<Response> {
  const state = c.req.query('state') ?? '';
  const origin = deps.originOf(c);
  let redirectTo = deps.redirects.resolve(origin, null);
  let answer: Response;
  try {
    await deps.limits.authorizePerAddress.consume(deps.clientAddress(c));
    const now = nowIso(deps);
    const flow = await takeFlow(c, deps, state, now);
    redirectTo = flow.redirectTo;
    answer = await finishFlow(c, deps, flow, state, now);
  } catch (error) {
    answer = redirectWithError(redirectTo, errorForRedirect(refusalOf(error, deps)), 302);
  }
  if (hasStateCookie(c, origin, state)) answer.headers.append('set-cookie', endedStateCookie(origin, CALLBACK, state));
  return answer;
}

async function takeFlow(c: Context, deps: AuthDeps, state: string, now: string): Promise<Flow> {
  if (state === '') throw new AuthError(400, 'bad_oauth_state', 'OAuth state parameter missing');
  const flow = await takeFlowByState(asOwner(deps.database), state, now);
  if (flow === null || flow.kind !== 'oauth' || (needsCookie(flow) && !hasStateCookie(c, deps.originOf(c), state)))
    throw new AuthError(400, 'bad_oauth_state', 'OAuth callback with invalid state');
  return flow;
}

async function finishFlow(c: Context, deps: AuthDeps, flow: Flow, state: string, now: string): Promise<Response> {
  const answer = new URL(c.req.url).searchParams;
  refuseError(answer, flow.provider);
  if ((answer.get('code') ?? '') === '')
    throw new AuthError(400, 'bad_oauth_callback', 'OAuth callback with missing authorization code missing');
  const provider = requireProvider(deps, flow.provider);
  const opened: unknown = JSON.parse(await deps.keys.unseal(flow.providerState ?? ''));
  const { redirectUri, linking, ...secrets } = providerStateSchema.parse(opened);
  const { profile, tokens } = await provider.finish({ redirectUri, answer, state, secrets });
  if (linking !== null && !(await deps.verifier.isSessionLive(linking.sessionId)))
    throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  const { redirectTo, method, linkingUserId } = flow;
  const providerTokens = { open: tokens, sealed: await deps.keys.seal(JSON.stringify(tokens)) };
  const flowRedirect = { redirectTo, flow, method, providerTokens, type: null };
  if (linking !== null && linkingUserId !== null) {
    await linkIdentity(deps, { ...linking, userId: linkingUserId }, profile, now, { andThen: async () => {} });
    // The linking user is already signed in, so the callback returns no session and no code for one.
    return redirectBare(redirectTo, 302);
  }
  const andThen = (tx: Transaction, userId: string) => arrive(tx, c, deps, flowRedirect, { userId }, now);
  return redirectSignedIn(c, deps, flowRedirect, await withAccountOf(deps, profile, now, { andThen }), 302);
}

/** Uses our own messages, so that a forged callback can't show its text on our page. */
function refuseError(answer: URLSearchParams, provider: string): void {
  const error = answer.get('error');
  if (error === null) return;
  if (error === 'access_denied')
    throw new AuthError(403, 'access_denied', `Signing in with ${provider} was cancelled or refused`);
  throw new AuthError(500, 'unexpected_failure', `Signing in with ${provider} failed at ${provider}`);
}

/** Turns a provider's failure into a message for the page; its log line contains no token, code or address. */
function refusalOf(error: unknown, deps: AuthDeps): unknown {
  if (!(error instanceof ProviderFailure)) return error;
  return providerRefusal(error, deps);
}

export function providerRefusal(failure: ProviderFailure, deps: Pick<AuthDeps, 'log'>): AuthError {
  const { provider, step, reason } = failure;
  deps.log.warn({ provider, step, reason }, 'a sign-in provider failed');
  const message = {
    discovery: `Unable to reach ${provider}`,
    keys: `Unable to reach ${provider}`,
    exchange: 'Unable to exchange external code',
    profile: 'Error getting user profile from external provider',
  }[step];
  return new AuthError(500, 'unexpected_failure', message);
}

function requireProvider(deps: AuthDeps, name: string): OAuthProvider {
  const known = PROVIDER_NAMES.find((one) => one === name);
  if (known === undefined)
    throw validationFailed(`Unsupported provider: Provider ${name.slice(0, 50)} could not be found`);
  const provider = deps.providers[known];
  if (provider === null) throw validationFailed('Unsupported provider: provider is not enabled');
  return provider;
}

/** Separated by spaces, as the client library sends them, or by commas, which the hosted service also accepts. */
function readScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length > MAX_SCOPES || !scopes.every((scope) => SCOPE.test(scope)))
    throw validationFailed('scopes are not valid');
  return scopes;
}

function needsCookie(flow: Pick<Flow, 'challenge' | 'linkingUserId'>): boolean {
  return flow.challenge === null || flow.linkingUserId !== null;
}
