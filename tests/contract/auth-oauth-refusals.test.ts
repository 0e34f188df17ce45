/** What a sign-in through a provider refuses: invalid states, addresses and browsers, and failing providers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openProviders } from '../../server/backend/auth/providers/providers.ts';
import { insertFlow } from '../../server/backend/auth/sessions/flow-store.ts';
import { SettingsRefused } from '../../server/platform/config/config.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { fragmentOf, openOAuthWorld, pkceClient, signInThrough, startOf, testBrowser } from './support/auth/oauth.ts';
import { type BackendTestServer, backendTestServer } from './support/backend.ts';

const BAD_STATE = {
  error: 'access_denied',
  error_code: 'bad_oauth_state',
  error_description: 'OAuth callback with invalid state',
};

describeOneDatabase('provider sign-in refusals', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind, { redirectAllowList: ['https://partner.example/kat'] }));

  const page = () => `${world().server.url}/auth/callback`;
  const authorize = (query: string) =>
    fetch(`${world().server.url}/auth/v1/authorize?${query}`, { redirect: 'manual' });

  async function untilCallback(provider: 'google' | 'github', email: string) {
    const browser = testBrowser(world().server.url);
    const start = await startOf(pkceClient(world().server), provider, page());
    return { browser, callback: await browser.signInUntilCallback(start, { email }) };
  }

  test('accepts a state once', async () => {
    const { browser, callback } = await untilCallback('google', 'once@example.com');

    const ends = await Promise.all([1, 2, 3].map(() => browser.follow(callback.href)));

    expect(ends.filter((end) => end.searchParams.has('code'))).toHaveLength(1);
    for (const end of ends.filter((one) => !one.searchParams.has('code'))) {
      expect(end.pathname).toBe('/');
      expect(fragmentOf(end)).toEqual(BAD_STATE);
    }
  });

  test.each([
    ['none', ''],
    ['an invented one', 'code=x&state=invented'],
    ['two of them', 'code=x&state=a&state=b'],
  ])('redirects to the front page with bad_oauth_state for an invalid state (%s)', async (_which, query) => {
    const end = await testBrowser(world().server.url).follow(`${world().server.url}/auth/v1/callback?${query}`);

    expect(end.pathname).toBe('/');
    expect(fragmentOf(end).error_code).toBe('bad_oauth_state');
  });

  test('rejects a state of another kind of sign-in', async () => {
    const flow = {
      kind: 'saml' as const,
      provider: 'google',
      method: 'sso/saml',
      redirectTo: page(),
      state: 'of-saml',
    };
    const rest = { challenge: { challenge: 'c'.repeat(43), method: 's256' as const }, linkingUserId: null };
    await insertFlow(
      asOwner(world().server.database),
      { ...flow, ...rest, providerState: null },
      new Date().toISOString(),
    );

    const end = await testBrowser(world().server.url).follow(
      `${world().server.url}/auth/v1/callback?code=x&state=of-saml`,
    );

    expect(fragmentOf(end)).toEqual(BAD_STATE);
  });

  test('rejects a state after 15 minutes', async () => {
    const { browser, callback } = await untilCallback('github', 'late@example.com');
    world().server.advance(15 * 60 * 1000 + 1000);

    const end = await browser.follow(callback.href);

    expect(fragmentOf(end)).toEqual(BAD_STATE);
  });

  test('rejects the code of one provider with the state of another', async () => {
    const google = await untilCallback('google', 'mix.up@example.com');
    const github = await untilCallback('github', 'mix.up@example.com');
    google.callback.searchParams.set('code', github.callback.searchParams.get('code') ?? '');
    github.callback.searchParams.set('code', 'of-another');

    for (const { browser, callback } of [google, github]) {
      const end = await browser.follow(callback.href);
      expect(fragmentOf(end)).toEqual({
        error: 'server_error',
        error_code: 'unexpected_failure',
        error_description: 'Unable to exchange external code',
      });
    }
  });

  test('reports a missing code and a provider error, without the text of the provider', async () => {
    const bare = await untilCallback('google', 'bare@example.com');
    bare.callback.searchParams.delete('code');
    const worded = await untilCallback('github', 'worded@example.com');
    worded.callback.search = new URLSearchParams({
      state: worded.callback.searchParams.get('state') ?? '',
      error: 'server_error',
      error_description: 'Call this number now',
    }).toString();

    expect(fragmentOf(await bare.browser.follow(bare.callback.href)).error_code).toBe('bad_oauth_callback');
    const end = await worded.browser.follow(worded.callback.href);
    expect(fragmentOf(end)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' });
    expect(fragmentOf(end).error_description).toBeTruthy();
    expect(decodeURIComponent(end.href)).not.toMatch(/this.number/);
  });

  test.each(['google', 'github'] as const)('returns access_denied when the user cancels at %s', async (provider) => {
    const { end, error } = await signInThrough(world().server, provider, null);

    expect(end.pathname).toBe('/auth/callback');
    expect(error).toMatchObject({ error: 'access_denied', error_code: 'access_denied' });
  });

  test('rejects the callback in another browser in the implicit flow', async () => {
    const start = await startOf(world().server.visitor(), 'google', page());
    const own = testBrowser(world().server.url);
    const callback = await own.signInUntilCallback(start, { email: 'attacker@example.com' });

    const end = await testBrowser(world().server.url).follow(callback.href);

    expect(fragmentOf(end)).toEqual(BAD_STATE);
  });

  test('ties the flow to the browser with an HttpOnly cookie that expires with it', async () => {
    const started = await authorize(`provider=google&redirect_to=${encodeURIComponent(page())}`);

    const [cookie = ''] = started.headers.getSetCookie();
    expect(cookie).toMatch(/^kat-sign-in-\S+=\S+; Max-Age=900; Path=\/auth\/v1\/callback; HttpOnly; SameSite=Lax$/);
  });

  test.each([
    ['an allowed address', 'https://partner.example/kat/in', 'https://partner.example/kat/in'],
    ['a foreign address', 'https://evil.example/kat', null],
    ['a deceiving address', 'https://partner.example@evil.example/kat', null],
  ])('redirects only to an allowed redirect_to: %s', async (_which, wanted, expected) => {
    const start = await startOf(pkceClient(world().server), 'github', wanted);
    const browser = testBrowser(world().server.url);
    const callback = await browser.signInUntilCallback(start, { email: 'redirected@example.com' });

    const answer = await browser.request(callback.href);

    const target = new URL(answer.headers.get('location') ?? '');
    expect(target.origin + target.pathname).toBe(expected ?? `${world().server.url}/`);
  });

  test.each([
    ['an unknown provider', 'provider=myspace', 'Unsupported provider: Provider myspace could not be found'],
    ['none', '', 'Unsupported provider: Provider  could not be found'],
    [
      'a name from the prototype',
      'provider=constructor',
      'Unsupported provider: Provider constructor could not be found',
    ],
    ['a challenge without its method', `provider=google&code_challenge=${'a'.repeat(43)}`, 'PKCE flow requires'],
    ['invalid scopes', 'provider=google&scopes=%22%5C', 'scopes are not valid'],
    ['too many scopes', `provider=google&scopes=${'a%20'.repeat(40)}`, 'scopes are not valid'],
  ])('rejects %s with 400', async (_which, query, message) => {
    const answer = await authorize(query);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error_code: 'validation_failed',
      msg: expect.stringContaining(message),
    });
  });

  test('forwards known parameters to the provider, without replacing our own', async () => {
    const query = 'provider=google&scopes=calendar.read&prompt=consent&access_type=offline&client_id=x&state=y&foo=z';

    const answer = await authorize(`${query}&skip_http_redirect=true`);

    const { url } = (await answer.json()) as { url: string };
    const { client_id: clientId, state, foo, scope, ...sent } = Object.fromEntries(new URL(url).searchParams);
    expect(answer.status).toBe(200);
    expect(sent).toMatchObject({
      prompt: 'consent',
      access_type: 'offline',
      code_challenge_method: 'S256',
      redirect_uri: `${world().server.url}/auth/v1/callback`,
    });
    expect(scope).toBe('openid email profile calendar.read');
    expect([clientId, foo]).toEqual([world().sandbox.google.clientId, undefined]);
    expect(state).not.toBe('y');
  });
});

describeOneDatabase('failing providers', (kind) => {
  let server: BackendTestServer;
  let unresponsive: ReturnType<typeof createServer>;
  let mode: 'hang' | 'flood' | 'html' = 'hang';

  beforeAll(async () => {
    unresponsive = createServer((_request, response) => {
      if (mode === 'hang') return;
      response.writeHead(200, { 'content-type': mode === 'html' ? 'text/html' : 'application/json' });
      response.end(mode === 'html' ? '<p>busy</p>' : `"${'x'.repeat(1_000_000)}"`);
    });
    await new Promise<void>((ready) => unresponsive.listen(0, '127.0.0.1', ready));
    const issuer = `http://127.0.0.1:${(unresponsive.address() as AddressInfo).port}`;
    const client = { clientId: 'id', clientSecret: 'secret' };
    const providers = openProviders(
      { google: { ...client, issuer }, github: { ...client, url: issuer, apiUrl: issuer } },
      { timeoutMs: 300 },
    );
    server = await backendTestServer(kind, { accounts: { providers } });
  });

  afterAll(async () => {
    await server?.close();
    unresponsive?.closeAllConnections();
    await new Promise((closed) => unresponsive.close(closed));
  });

  test.each(['hang', 'flood', 'html'] as const)(
    'reports an unreachable provider when discovery answers with a %s',
    async (how) => {
      mode = how;

      const end = await testBrowser(server.url).follow(
        await startOf(pkceClient(server), 'google', `${server.url}/auth/callback`),
      );

      expect(end.pathname).toBe('/auth/callback');
      expect(fragmentOf(end)).toEqual({
        error: 'server_error',
        error_code: 'unexpected_failure',
        error_description: 'Unable to reach google',
      });
    },
  );

  test.each(['hang', 'flood', 'html'] as const)(
    'reports a failed exchange when the token call answers with a %s',
    async (how) => {
      mode = how;
      const started = await fetch(await startOf(pkceClient(server), 'github', `${server.url}/auth/callback`), {
        redirect: 'manual',
      });
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state');

      const end = await testBrowser(server.url).follow(`${server.url}/auth/v1/callback?code=x&state=${state}`);

      expect(fragmentOf(end)).toMatchObject({
        error: 'server_error',
        error_description: 'Unable to exchange external code',
      });
    },
  );
});

test('refuses a provider over plain HTTP except on this machine', () => {
  const client = { clientId: 'id', clientSecret: 'secret' };

  const open = (issuer: string) => () => openProviders({ google: { ...client, issuer }, github: null });

  expect(open('http://accounts.google.com')).toThrow(SettingsRefused);
  expect(open('http://127.0.0.1:1')).not.toThrow();
});
