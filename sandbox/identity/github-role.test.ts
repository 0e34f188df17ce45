/** Tests the simulated GitHub as an app that signs its users in sees it, from the page to the user's addresses. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../tests/support/run/opened-for-tests.ts';
import { startIdentitySandbox } from './identity-sandbox.ts';

const CALLBACK = 'http://localhost:4321/auth/v1/callback';
const ADA = 'ada.test@example.com';

const opened = openedForTests(() => startIdentitySandbox({ origins: ['https://kat.test'] }));

const fieldsOf = (more: Record<string, string> = {}) =>
  new URLSearchParams({ client_id: opened().github.clientId, redirect_uri: CALLBACK, state: 's1', ...more });
const post = (path: string, body: URLSearchParams) =>
  fetch(opened().github.url + path, { method: 'POST', body, redirect: 'manual' });
const choose = (more: Record<string, string>) =>
  post('/login/oauth/authorize', fieldsOf({ action: 'continue', ...more }));
const page = (more: Record<string, string> = {}) =>
  fetch(`${opened().github.url}/login/oauth/authorize?${fieldsOf(more)}`);

/** Where the site receives the user, with the code or the refusal. */
async function redirectOf(answer: Response): Promise<Record<string, string>> {
  const location = new URL(answer.headers.get('location') ?? '');
  expect([answer.status, location.origin + location.pathname]).toEqual([302, CALLBACK]);
  return Object.fromEntries(location.searchParams);
}

async function codeOf(more: Record<string, string> = { person: ADA }): Promise<string> {
  return (await redirectOf(await choose({ scope: 'read:user user:email', ...more }))).code ?? '';
}

async function exchange(code: string, more: Record<string, string> = {}) {
  const { clientSecret } = opened().github;
  const answer = await post('/login/oauth/access_token', fieldsOf({ client_secret: clientSecret, code, ...more }));
  expect(answer.status, 'refusals too').toBe(200);
  return z.record(z.string(), z.string()).parse(await answer.json());
}

async function api(path: string, token: string | undefined) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(opened().github.apiUrl + path, { headers });
  return { status: answer.status, body: z.any().parse(await answer.json()) };
}

test('signs a user in, whose name and addresses a token reads', async () => {
  const code = await codeOf();
  const { access_token: token, ...rest } = await exchange(code);

  expect(rest).toEqual({ token_type: 'bearer', scope: 'read:user,user:email' });
  const user = await api('/user', token);
  expect(user).toMatchObject({ status: 200, body: { login: 'ada-test', name: 'Ada Test', email: null, type: 'User' } });
  expect((await fetch(user.body.avatar_url)).headers.get('content-type')).toBe('image/png');
  expect((await api('/user/emails', token)).body).toEqual([
    { email: expect.stringMatching(/^\d+\+ada-test@users\./), primary: false, verified: true, visibility: null },
    { email: ADA, primary: true, verified: true, visibility: 'private' },
  ]);
});

test('signs in someone else by the address they type, verified or not, the same user each time', async () => {
  const own = { person: 'own', name: ' ', email: 'Zoe+1@example.org', scope: 'user' };
  const accounts = await Promise.all(
    [own, { ...own, verified: 'yes', email: 'zoe+1@example.org' }].map(async (person) => {
      const { access_token: token } = await exchange(await codeOf(person));
      const [user, emails] = [await api('/user', token), await api('/user/emails', token)];
      return [user.body.id, user.body.login, user.body.name, emails.body[1].verified];
    }),
  );

  const [[id] = []] = accounts;
  expect(accounts).toEqual([
    [id, 'Zoe-1', 'Zoe+1@example.org', false],
    [id, 'zoe-1', 'zoe+1@example.org', true],
  ]);
});

test('returns a user who cancels to the site with GitHub’s error and the site’s state', async () => {
  expect(await redirectOf(await choose({ action: 'cancel' }))).toEqual({
    error: 'access_denied',
    error_description: 'The user has denied your application access.',
    state: 's1',
  });
});

test.each([
  ['no choice', {}],
  ['no action', { action: '', person: ADA }],
  ['an invalid address', { person: 'own', email: 'zoe' }],
  ['an address that is too long', { person: 'own', email: `${'z'.repeat(320)}@example.org` }],
])('refuses a sign-in with %s, and links back to the site', async (_what, fields) => {
  const refused = await choose(fields);

  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(/A valid email address is needed\..*<a href="http:\/\/localhost:4321\/">/s);
});

test.each([
  ['an unknown app', { client_id: 'other' }],
  ['no address', { redirect_uri: '' }],
  ['another site', { redirect_uri: 'https://evil.test/auth/v1/callback' }],
  ['this machine over TLS', { redirect_uri: CALLBACK.replace('http:', 'https:') }],
  ['another path of the site', { redirect_uri: 'http://localhost:4321/auth/v1/other' }],
  ['an address with a query', { redirect_uri: `${CALLBACK}?next=1` }],
])('shows no sign-in for %s', async (_what, fields) => {
  const refused = await page(fields);

  expect([refused.status, (await refused.text()).includes('Unknown application or redirect URL.')]).toEqual([
    404,
    true,
  ]);
});

test('shows a sign-in for the site’s own origin, with the hinted user chosen', async () => {
  const own = await page({ redirect_uri: 'https://kat.test/auth/v1/callback', login: 'ben.test@example.com' });
  const chosen = /name="person" value="([^"]*)" checked/g;

  expect(own.status).toBe(200);
  expect([...(await own.text()).matchAll(chosen)].map(([, value]) => value)).toEqual(['ben.test@example.com']);
  const other = await (await page({ login: 'zoe@example.org' })).text();
  expect([...other.matchAll(chosen)].map(([, value]) => value)).toEqual(['own']);
  expect(other).toContain(
    'name="email" inputmode="email" autocomplete="off" spellcheck="false" value="zoe@example.org"',
  );
});

test('exchanges a code once, and only for its own site and with the secret', async () => {
  const badCode = { error: 'bad_verification_code', error_description: expect.any(String) };

  const used = await codeOf();
  expect(await exchange(used)).toHaveProperty('access_token');
  expect(await exchange(used)).toEqual(badCode);
  expect(await exchange('')).toEqual(badCode);
  const code = await codeOf();
  expect(await exchange(code, { client_secret: 'other' })).toMatchObject({ error: 'incorrect_client_credentials' });
  expect(await exchange(code, { client_id: 'other' })).toMatchObject({ error: 'incorrect_client_credentials' });
  expect(await exchange(code, { redirect_uri: 'https://kat.test/auth/v1/callback' })).toMatchObject({
    error: 'redirect_uri_mismatch',
  });
  expect(await exchange(code), 'the refused exchange used it up').toEqual(badCode);
});

test('hides the addresses from a token that was not granted them, and everything without a token', async () => {
  const { access_token: token, scope } = await exchange(await codeOf({ person: ADA, scope: 'read:user' }));

  expect(scope).toBe('read:user');
  expect((await api('/user', token)).status).toBe(200);
  expect(await api('/user/emails', token)).toEqual({ status: 404, body: { message: 'Not Found' } });
  expect(await api('/repos', token)).toEqual({ status: 404, body: { message: 'Not Found' } });
  for (const other of [undefined, 'gho_other'])
    expect(await api('/user', other)).toEqual({ status: 401, body: { message: 'Bad credentials' } });
});

test('answers 404 to other addresses', async () => {
  const { origin } = new URL(opened().github.url);

  for (const path of ['/', '/gitlab/login', '/pictures/a.png', '/pictures/1.jpg'])
    expect((await fetch(origin + path)).status, path).toBe(404);
});
