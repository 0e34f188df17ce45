import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER, type Transaction } from '../../../../platform/database/database.ts';
import { readText } from '../../../../platform/http/calls/request-body.ts';
import { type AuthDeps, MAX_AUTH_BODY_BYTES, nowIso, readObject, textField } from '../../auth-deps.ts';
import { AuthError, validationFailed } from '../../auth-error.ts';
import { requireCaptcha } from '../../captcha.ts';
import { readCodeChallenge } from '../../sessions/code-challenge.ts';
import { type Flow, insertFlow, newFlowState, takeFlowByState } from '../../sessions/flow-store.ts';
import {
  arrive,
  errorForRedirect,
  type ProvenByRedirect,
  redirectSignedIn,
  redirectWithError,
} from '../../sessions/redirect-answer.ts';
import { requireNotBanned } from '../../sessions/sessions.ts';
import { endedStateCookie, hasStateCookie, setStateCookie } from '../../sessions/state-cookie.ts';
import { findUser } from '../../user-store.ts';
import { spendProof } from '../spent-proof-store.ts';
import { accountOfPerson, personOf } from './saml-account.ts';
import { authnRequest, type OurSaml, serviceMetadata, verifyResponse } from './saml-client.ts';
import { SamlRefused } from './saml-document.ts';
import type { SamlProvider, SamlProviders } from './saml-providers.ts';

const METHOD = 'sso/saml';
const CONSUME = '/auth/v1/sso/saml/acs';
/** State for the response, sealed in the flow. */
const providerStateSchema = z.object({ requestId: z.string() });

/**
 * Sends a browser to its organisation: 200 {url}, or 303 if the caller follows redirects itself.
 * @throws AuthError 404 saml_provider_disabled, sso_provider_not_found; 400 validation_failed
 */
export async function startSso(c: Context, deps: AuthDeps): Promise<Response> {
  const providers = requireSaml(deps);
  await deps.limits.authorizePerAddress.consume(deps.clientAddress(c));
  const body = await readObject(c);
  await requireCaptcha(c, deps, body);
  const challenge = readCodeChallenge(textField(body, 'code_challenge'), textField(body, 'code_challenge_method'));
  const provider = chooseProvider(body, providers);
  const redirectTo = deps.redirects.resolve(deps.originOf(c), textField(body, 'redirect_to'));
  const state = newFlowState();
  const { url, requestId } = await authnRequest(provider, oursOf(c, deps), state);
  const providerState = await deps.keys.seal(JSON.stringify({ requestId }));
  await deps.database.transaction(OWNER, (tx) =>
    insertFlow(
      tx,
      {
        kind: 'saml',
        provider: provider.id,
        method: METHOD,
        redirectTo,
        challenge,
        state,
        providerState,
        linkingUserId: null,
      },
      nowIso(deps),
    ),
  );
  if (challenge === null) setStateCookie(c, deps.originOf(c), CONSUME, state);
  if (body.skip_http_redirect === true) return c.json({ url });
  return c.redirect(url, 303);
}

/**
 * The provider sends the browser back here with a form. A response that was not requested (started at the provider), or
 * was requested by another browser, is refused: by sending a visitor such a form, an attacker could sign them in to
 * another account.
 */
export async function samlConsume(c: Context, deps: AuthDeps): Promise<Response> {
  const providers = requireSaml(deps);
  await deps.limits.verifyPerAddress.consume(deps.clientAddress(c));
  const origin = deps.originOf(c);
  const home = `${origin}/`;
  let flow: Flow | null = null;
  try {
    const form = await readForm(c);
    const relayState = form.get('RelayState') ?? '';
    if (relayState === '') throw validationFailed('Sign-in must begin on this site: SAML RelayState is missing');
    const now = nowIso(deps);
    flow = await deps.database.transaction(OWNER, (tx) => takeFlowByState(tx, relayState, now));
    const isOfThisBrowser = flow !== null && (flow.challenge !== null || hasStateCookie(c, origin, relayState));
    if (flow === null || flow.kind !== 'saml' || !isOfThisBrowser)
      throw new AuthError(404, 'saml_relay_state_not_found', 'SAML RelayState does not exist, try logging in again?');
    const target = { redirectTo: flow.redirectTo, flow, method: METHOD, providerTokens: null, type: null };
    const response = { providers, flow, samlResponse: form.get('SAMLResponse') ?? '' };
    const arrival = await withProvenUser(c, deps, response, now, (tx, who) => arrive(tx, c, deps, target, who, now));
    const answer = await redirectSignedIn(c, deps, target, arrival, 302);
    if (flow.challenge === null) answer.headers.append('set-cookie', endedStateCookie(origin, CONSUME, relayState));
    return answer;
  } catch (error) {
    return redirectWithError(flow?.redirectTo ?? home, errorForRedirect(error), 303);
  }
}

export async function samlMetadata(c: Context, deps: AuthDeps): Promise<Response> {
  requireSaml(deps);
  const metadata = await serviceMetadata(oursOf(c, deps));
  return c.body(metadata, 200, {
    'content-type': 'application/samlmetadata+xml',
    'cache-control': 'public, max-age=600',
  });
}

/** @throws AuthError 400 validation_failed for every invalid response, without a reason */
async function withProvenUser<T>(
  c: Context,
  deps: AuthDeps,
  response: { providers: SamlProviders; flow: Flow; samlResponse: string },
  now: string,
  andThen: (tx: Transaction, who: ProvenByRedirect) => Promise<T>,
): Promise<T> {
  const { flow, samlResponse } = response;
  const provider = response.providers.byId(flow.provider);
  if (provider === null || flow.providerState === null)
    throw new AuthError(
      404,
      'saml_idp_not_found',
      'A SAML connection has not been established with this Identity Provider',
    );
  if (samlResponse === '') throw validationFailed('SAMLResponse is missing');
  const { requestId } = providerStateSchema.parse(JSON.parse(await deps.keys.unseal(flow.providerState)));
  const assertion = await verifyWith(deps, provider, () =>
    verifyResponse(provider, oursOf(c, deps), { samlResponse, requestId, nowMs: Date.parse(now) }),
  );
  const person = personOf(assertion, provider);
  return deps.database.transaction(OWNER, async (tx) => {
    const proof = `${provider.entityId}\n${assertion.id}`;
    if (!(await spendProof(tx, 'saml', proof, new Date(assertion.expiresAtMs).toISOString(), now))) throw notValid();
    const userId = await accountOfPerson(tx, person, provider, now);
    const stored = await findUser(tx, userId, now);
    if (stored !== null) requireNotBanned(stored);
    const { sessionNotAfterMs } = assertion;
    const sessionNotAfterIso = sessionNotAfterMs === null ? null : new Date(sessionNotAfterMs).toISOString();
    return andThen(tx, { userId, sessionNotAfterIso });
  });
}

async function verifyWith<T>(deps: AuthDeps, provider: SamlProvider, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SamlRefused)) throw error;
    // The reason is only logged for the operator; a forger learns nothing from the response.
    deps.log.warn({ provider: provider.id, reason: error.message }, 'a SAML response was refused');
    throw notValid();
  }
}

function notValid(): AuthError {
  return new AuthError(400, 'validation_failed', 'SAML Assertion is not valid');
}

function requireSaml(deps: AuthDeps): SamlProviders {
  if (deps.saml === null) throw new AuthError(404, 'saml_provider_disabled', 'SAML 2.0 is disabled');
  return deps.saml;
}

function chooseProvider(body: Record<string, unknown>, providers: SamlProviders): SamlProvider {
  const id = textField(body, 'provider_id') ?? '';
  const domain = textField(body, 'domain') ?? '';
  if (id !== '' && domain !== '') throw validationFailed('Only one of provider_id or domain supported');
  if (id === '' && domain === '') throw validationFailed('A provider_id or domain needs to be provided');
  const provider = id === '' ? providers.byDomain(domain) : providers.byId(id);
  if (provider === null)
    throw new AuthError(
      404,
      'sso_provider_not_found',
      id === '' ? 'No SSO provider assigned for this domain' : 'No such SSO provider',
    );
  return provider;
}

/** @throws AppError `request/too-large`; AuthError 400 validation_failed */
async function readForm(c: Context): Promise<URLSearchParams> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw validationFailed('A form is expected');
  return new URLSearchParams(await readText(c.req.raw, MAX_AUTH_BODY_BYTES));
}

function oursOf(c: Context, deps: AuthDeps): OurSaml {
  const base = `${deps.originOf(c)}/auth/v1/sso/saml`;
  return { metadataUrl: `${base}/metadata`, acsUrl: `${base}/acs` };
}
