/** Signing in through an organisation, from the client library's call to a session, with a provider on loopback. */
import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { isEmailTaken } from '../../server/backend/auth/mail/email-change.ts';
import { findUserByEmail, lockAccountByEmail } from '../../server/backend/auth/user-store.ts';
import { OWNER, SERVICE } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { BACK, errorIn, OTHER_PROVIDER_ID, PROVIDER_ID, samlWorld } from './support/auth/saml.ts';
import { backendTestServer } from './support/backend.ts';

const ADA = { nameId: 'person-1', attributes: { email: ['ada@example.org'], displayName: ['Ada Lovelace'] } };

describeOneDatabase('sign-in through an organisation', (kind) => {
  const world = openedForTests(() => samlWorld(kind));
  const { post } = authCalls(() => world().server);

  beforeEach(() => {
    world().provider.signInAs(ADA);
    world().provider.misbehave(null);
    world().provider.signResponses(false);
  });

  test('returns a code to the page, which only the browser that began can exchange', async () => {
    const browser = world().pkceVisitor();
    const { data: started } = await browser.auth.signInWithSSO({
      domain: 'example.org',
      options: { redirectTo: BACK },
    });

    const { status, location, headers } = await world().consume(await world().visit(started?.url ?? ''));
    const { data, error } = await browser.auth.exchangeCodeForSession(location.searchParams.get('code') ?? '');

    expect([status, `${location.origin}${location.pathname}`]).toEqual([302, BACK]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'ada@example.org',
      app_metadata: { provider: `sso:${PROVIDER_ID}`, providers: [`sso:${PROVIDER_ID}`] },
      user_metadata: { full_name: 'Ada Lovelace', email: 'ada@example.org' },
      identities: [{ id: 'person-1', provider: `sso:${PROVIDER_ID}` }],
    });
    expect(data.user?.email_confirmed_at).toBeTruthy();
    expect(decodeJwt(data.session?.access_token ?? '')).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'sso/saml', provider: PROVIDER_ID, timestamp: expect.any(Number) }],
    });
    const again = await world()
      .pkceVisitor()
      .auth.exchangeCodeForSession(location.searchParams.get('code') ?? '');
    expect(again.error).not.toBeNull();
  });

  test('returns a session in the fragment without a code challenge', async () => {
    const location = await world().signIn(world().visitor());

    const fragment = new URLSearchParams(location.hash.slice(1));
    const { data } = await world()
      .server.visitor()
      .auth.getUser(fragment.get('access_token') ?? '');
    expect(data.user?.email).toBe('ada@example.org');
    expect(decodeJwt(fragment.get('access_token') ?? '').amr).toMatchObject([
      { method: 'sso/saml', provider: PROVIDER_ID },
    ]);
  });

  test('accepts a response that is signed as a whole too', async () => {
    world().provider.signResponses(true);

    const location = await world().signIn(world().visitor());

    expect(location.hash).toContain('access_token=');
  });

  test('opens the same account each time, with the current address from the organisation', async () => {
    const first = await sessionUser();
    world().provider.signInAs({ nameId: 'person-1', attributes: { email: ['ada.l@example.net'] } });

    const second = await sessionUser();

    expect(second.id).toBe(first.id);
    expect(second.email).toBe('ada.l@example.net');
    const profiles = await world().server.database.query(SERVICE, 'select email from public.profiles where id = $1', [
      first.id,
    ]);
    expect(profiles).toEqual([{ email: 'ada.l@example.net' }]);
  });

  test('creates one account from five simultaneous first sign-ins', async () => {
    world().provider.signInAs({ nameId: 'new-person', attributes: { email: ['new@example.org'] } });

    const users = await Promise.all([1, 2, 3, 4, 5].map(sessionUser));

    expect(new Set(users.map(({ id }) => id)).size).toBe(1);
  });

  test('does not join an existing account with the same address', async () => {
    const owner = await post('/auth/v1/signup', { email: 'same@example.org', password: 'Password1' });
    const { user } = await owner.json();
    world().provider.signInAs({ nameId: 'person-same', attributes: { email: ['same@example.org'] } });

    const organisations = await sessionUser();

    expect(organisations.id).not.toBe(user.id);
    expect(organisations.email).toBe('same@example.org');
    const signIn = await world().server.visitor().auth.signInWithPassword({
      email: 'same@example.org',
      password: 'Password1',
    });
    expect(signIn.data.user?.id).toBe(user.id);
  });

  test('creates an account that cannot be found by its address', async () => {
    world().provider.signInAs({ nameId: 'person-apart', attributes: { email: ['apart@example.org'] } });
    await sessionUser();

    const found = await world().server.database.transaction(OWNER, async (tx) => {
      const now = new Date().toISOString();
      return [
        await findUserByEmail(tx, 'apart@example.org', now),
        await lockAccountByEmail(tx, 'apart@example.org', now),
        await isEmailTaken(tx, 'apart@example.org'),
      ];
    });

    expect(found).toEqual([null, null, false]);
  });

  test('refuses address and password changes, but not other data', async () => {
    const location = await world().signIn(world().visitor());
    const fragment = new URLSearchParams(location.hash.slice(1));
    const browser = world().server.visitor();
    await browser.auth.setSession({
      access_token: fragment.get('access_token') ?? '',
      refresh_token: fragment.get('refresh_token') ?? '',
    });

    const named = await browser.auth.updateUser({ data: { city: 'London' } });
    const moved = await browser.auth.updateUser({ email: 'elsewhere@example.com' });
    const passworded = await browser.auth.updateUser({ password: 'Password1' });

    expect(named.error).toBeNull();
    expect([moved.error?.code, passworded.error?.code]).toEqual(['user_sso_managed', 'user_sso_managed']);
  });

  test.each(['implicit', 'pkce'])('limits the session to that of the organisation (%s)', async (flow) => {
    const session = flow === 'pkce' ? await pkceSession() : await implicitSession();

    const rows = await world().server.database.query<{ hours: number }>(
      OWNER,
      `select round(extract(epoch from not_after - created_at) / 3600)::int as hours from auth.sessions
       where id = $1::text::uuid`,
      [String(decodeJwt(session).session_id)],
    );

    expect(rows).toEqual([{ hours: 8 }]);
  });

  test('leaves its address free for another account', async () => {
    world().provider.signInAs({ nameId: 'person-free', attributes: { email: ['free@example.org'] } });
    const organisations = await sessionUser();

    const signUp = await post('/auth/v1/signup', { email: 'free@example.org', password: 'Password1' });

    expect(signUp.status).toBe(200);
    expect((await signUp.json()).user.id).not.toBe(organisations.id);
  });

  test('redirects to the front page when the requested address is not allowed', async () => {
    const { data: started } = await world()
      .visitor()
      .auth.signInWithSSO({ providerId: PROVIDER_ID, options: { redirectTo: 'https://evil.example/' } });

    const { location } = await world().consume(await world().visit(started?.url ?? ''));

    expect(location.origin).toBe(world().server.url);
  });

  test('redirects the browser unless the caller skips the redirect', async () => {
    const answer = await world().server.request('/auth/v1/sso', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ domain: 'EXAMPLE.org' }),
      redirect: 'manual',
    });

    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toContain(`${world().provider.entryPoint}?SAMLRequest=`);
  });

  test.each<[string, Record<string, unknown>, number, string]>([
    ['an unknown domain', { domain: 'nobody.example' }, 404, 'sso_provider_not_found'],
    ['an unknown provider', { provider_id: '00000000-0000-4000-8000-000000000000' }, 404, 'sso_provider_not_found'],
    ['what is no id', { provider_id: "' or true --" }, 404, 'sso_provider_not_found'],
    ['neither', {}, 400, 'validation_failed'],
    ['both', { domain: 'example.org', provider_id: PROVIDER_ID }, 400, 'validation_failed'],
    ['a domain that is a list', { domain: ['example.org'] }, 400, 'validation_failed'],
    ['half a challenge', { domain: 'example.org', code_challenge: 'x'.repeat(43) }, 400, 'validation_failed'],
  ])('refuses to start with %s', async (_what, body, status, code) => {
    const answer = await post('/auth/v1/sso', body);

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: status, error_code: code });
  });

  test('publishes our SAML metadata', async () => {
    const answer = await fetch(`${world().server.url}/auth/v1/sso/saml/metadata`);
    const metadata = await answer.text();

    expect(answer.headers.get('content-type')).toContain('application/samlmetadata+xml');
    expect(metadata).toContain(`entityID="${world().server.url}/auth/v1/sso/saml/metadata"`);
    expect(metadata).toContain(`Location="${world().server.url}/auth/v1/sso/saml/acs"`);
    expect(metadata).toContain('WantAssertionsSigned="true"');
  });

  test('rejects a response from another organisation', async () => {
    const { data: started } = await world()
      .visitor()
      .auth.signInWithSSO({ providerId: OTHER_PROVIDER_ID, options: { redirectTo: BACK } });

    const { location } = await world().consume(await world().visit(started?.url ?? ''));

    expect(errorIn(location)).toEqual({ code: 'validation_failed', description: 'SAML Assertion is not valid' });
  });

  async function pkceSession(): Promise<string> {
    const browser = world().pkceVisitor();
    const location = await world().signIn(browser);
    const { data } = await browser.auth.exchangeCodeForSession(location.searchParams.get('code') ?? '');
    return data.session?.access_token ?? '';
  }

  async function implicitSession(): Promise<string> {
    const location = await world().signIn(world().visitor());
    return new URLSearchParams(location.hash.slice(1)).get('access_token') ?? '';
  }

  async function sessionUser() {
    const location = await world().signIn(world().visitor());
    const token = new URLSearchParams(location.hash.slice(1)).get('access_token') ?? '';
    const { data, error } = await world().server.visitor().auth.getUser(token);
    if (error) throw error;
    return data.user;
  }
});

describe('sign-in without an organisation', () => {
  const server = openedForTests(() => backendTestServer('pglite'));

  test('reports that SAML is disabled', async () => {
    const { error } = await server().visitor().auth.signInWithSSO({ domain: 'example.org' });
    const metadata = await server().request('/auth/v1/sso/saml/metadata');

    expect(error).toMatchObject({ status: 404, code: 'saml_provider_disabled', message: 'SAML 2.0 is disabled' });
    expect(metadata.status).toBe(404);
  });
});
