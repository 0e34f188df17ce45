/** A real OpenID provider. Its sign-in page has the visitor choose a user each time, because no session is remembered. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { type Adapter, type AdapterFactory, type AdapterPayload, interactionPolicy, Provider } from 'oidc-provider';
import { expiringStore } from './expiring-store.ts';
import { answerPage, pictureAddress, readForm } from './http-answers.ts';
import { errorPage, signInPage } from './sign-in-page.ts';
import type { SiteAddresses } from './site-addresses.ts';
import { googleSubject, readChoice, type TestPerson } from './test-people.ts';

export interface GoogleRoleOptions {
  /** Includes the path under which it is mounted, without a trailing slash. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  site: SiteAddresses;
  log(line: string): void;
}

export interface GoogleRole {
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
  /** An id token of this provider with these claims, as a mobile app would receive one. */
  idToken(person: TestPerson, claims: JWTPayload): Promise<string>;
}

const KEY_ID = 'test';
const HOUR_S = 60 * 60;
const SIGN_IN = /^\/sign-in\/([A-Za-z0-9_-]{1,100})$/;

export async function googleRole(options: GoogleRoleOptions): Promise<GoogleRole> {
  const { issuer, clientId, clientSecret } = options;
  const mount = new URL(issuer).pathname;
  const failure = (message: string) => errorPage('Google', message, options.site.home());
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const people = new Map<string, TestPerson>();
  const provider = new Provider(issuer, {
    adapter: providerMemory(),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: KEY_ID, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        // The allowed addresses are checked below, because the site's port is not known yet.
        redirect_uris: ['http://127.0.0.1/auth/v1/callback'],
        response_types: ['code'],
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    // As Google does, puts the user's details into the id token.
    conformIdTokenClaims: false,
    findAccount: (_ctx, accountId) => {
      const person = people.get(accountId);
      if (person === undefined) return undefined;
      return { accountId, claims: async () => ({ sub: accountId, ...claimsOf(issuer, person) }) };
    },
    issueRefreshToken: async () => true,
    loadExistingGrant: async (ctx) => {
      const accountId = ctx.oidc.session?.accountId;
      const grant = new provider.Grant({ clientId, ...(accountId === undefined ? {} : { accountId }) });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    interactions: { policy: prompts(), url: (_ctx, { uid }) => `${mount}/sign-in/${uid}` },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    clientBasedCORS: () => false,
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = failure(`${out.error}: ${out.error_description ?? ''}`);
    },
    ttl: {
      AccessToken: HOUR_S,
      AuthorizationCode: 60,
      IdToken: HOUR_S,
      RefreshToken: HOUR_S,
      Interaction: 15 * 60,
      Session: 15 * 60,
      Grant: HOUR_S,
    },
  });
  provider.Client.prototype.redirectUriAllowed = (redirectUri: string) => options.site.isCallback(redirectUri);
  provider.on('server_error', (_ctx, error) => options.log(`the Google sandbox failed: ${error.message}`));
  const protocol = provider.callback();

  async function signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const { params, uid } = await provider.interactionDetails(request, response);
      const hint = typeof params.login_hint === 'string' ? params.login_hint : null;
      const html = signInPage({ provider: 'Google', action: `${mount}/sign-in/${uid}`, hint, hidden: [] });
      return answerPage(response, 200, html);
    }
    const choice = readChoice(await readForm(request));
    if (choice === null) return answerPage(response, 400, failure('A valid email address is needed.'));
    if (choice.kind === 'cancel')
      return provider.interactionFinished(request, response, {
        error: 'access_denied',
        error_description: 'The user cancelled',
      });
    const accountId = googleSubject(choice.person);
    people.set(accountId, choice.person);
    const login = { accountId, remember: false };
    return provider.interactionFinished(request, response, { login, consent: {}, select_account: {} });
  }

  return {
    async answer(request, response, path) {
      if (!SIGN_IN.test(path)) {
        forgetSession(request);
        await protocol(request, response);
        return;
      }
      try {
        await signIn(request, response);
      } catch (error) {
        options.log(`the Google sandbox refused a sign-in: ${error instanceof Error ? error.name : 'unknown'}`);
        answerPage(response, 400, failure('This sign-in has expired. Start again on the site.'));
      }
    },
    idToken(person, claims) {
      const nowS = Math.floor(Date.now() / 1000);
      const times = { iat: nowS, exp: nowS + HOUR_S };
      const standard = { iss: issuer, aud: clientId, sub: googleSubject(person), jti: randomUUID(), ...times };
      return new SignJWT({ ...standard, ...claimsOf(issuer, person), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT' })
        .sign(privateKey);
    },
  };
}

function claimsOf(issuer: string, person: TestPerson) {
  return {
    name: person.name,
    picture: pictureAddress(issuer, person),
    email: person.email,
    email_verified: person.isEmailVerified,
  };
}

/** Names that other pages request; this provider has one page for all. */
function prompts(): interactionPolicy.Prompt[] {
  const policy = interactionPolicy.base();
  policy.get('consent')?.checks.clear();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  return policy;
}

function forgetSession(request: IncomingMessage): void {
  const cookies = request.headers.cookie?.split('; ').filter((cookie) => !cookie.startsWith('_session'));
  if (cookies !== undefined) request.headers.cookie = cookies.join('; ');
}

const DEFAULT_LIFE_S = 60 * 60;

export function providerMemory(): AdapterFactory {
  const store = expiringStore<AdapterPayload>();
  return (kind): Adapter => {
    const key = (id: string) => `${kind}:${id}`;
    const first = (test: (payload: AdapterPayload) => boolean) => {
      const found = store.keysWhere(test).find((one) => one.startsWith(`${kind}:`));
      return found === undefined ? undefined : store.get(found);
    };
    return {
      async upsert(id, payload, lifeS) {
        store.set(key(id), payload, lifeS ?? DEFAULT_LIFE_S);
      },
      find: async (id) => store.get(key(id)),
      findByUid: async (uid) => first((payload) => payload.uid === uid),
      findByUserCode: async (code) => first((payload) => payload.userCode === code),
      async consume(id) {
        const payload = store.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        store.delete(key(id));
      },
      async revokeByGrantId(grantId) {
        for (const one of store.keysWhere((payload) => payload.grantId === grantId)) store.delete(one);
      },
    };
  };
}
