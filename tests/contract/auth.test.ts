import { createClient } from '@supabase/supabase-js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUpMessage } from '../../domain/account/auth-messages.ts';
import { OWNER } from '../../server/platform/database.ts';
import { testDatabaseKinds } from '../support/database.ts';
import { type BackendTestServer, backendTestServer } from './support-backend.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TEN_SECONDS_MS = 10_000;

describe.each(testDatabaseKinds())('accounts on %s', (kind) => {
  let server: BackendTestServer;

  beforeAll(async () => {
    server = await backendTestServer(kind);
  });
  afterAll(() => server.close());

  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return server.request(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
  }

  async function refresh(refreshToken: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await post('/auth/v1/token?grant_type=refresh_token', { refresh_token: refreshToken });
    return { status: answer.status, body: await answer.json() };
  }

  async function signedIn() {
    const user = await server.user();
    const { data } = await user.client.auth.getSession();
    if (!data.session) throw new Error('no session');
    return { ...user, refreshToken: data.session.refresh_token };
  }

  const statusOfUser = async (accessToken: string) =>
    (await server.request('/auth/v1/user', { headers: { authorization: `Bearer ${accessToken}` } })).status;

  describe('sign-up', () => {
    test('answers a session at once, with the user as the hosted service shows it', async () => {
      const client = server.visitor();

      const { data, error } = await client.auth.signUp({
        email: ' Ada@Example.COM ',
        password: 'Password1',
        options: { data: { full_name: 'Ada' } },
      });

      expect(error).toBeNull();
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
      expect(data.user).toMatchObject({
        aud: 'authenticated',
        role: 'authenticated',
        email: 'ada@example.com',
        phone: '',
        app_metadata: { provider: 'email', providers: ['email'] },
        user_metadata: { full_name: 'Ada' },
        is_anonymous: false,
        identities: [{ provider: 'email', user_id: data.user?.id, id: data.user?.id }],
      });
      expect(data.user?.last_sign_in_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
      expect(data.user).not.toHaveProperty('email_confirmed_at');
      expect(JSON.stringify(data)).not.toContain('$2b$');
    });

    test('puts the agreed claims into an ES256 token that the public keys verify', async () => {
      const { client, accessToken, id, email } = await server.user();

      const { data, error } = await client.auth.getClaims();

      expect(error).toBeNull();
      expect(decodeProtectedHeader(accessToken)).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
      expect(data?.claims).toMatchObject({
        sub: id,
        aud: 'authenticated',
        role: 'authenticated',
        email,
        phone: '',
        aal: 'aal1',
        amr: [{ method: 'password', timestamp: expect.any(Number) }],
        iss: expect.stringMatching(/\/auth\/v1$/),
        session_id: expect.any(String),
        app_metadata: { provider: 'email' },
        user_metadata: {},
      });
      const { iat = 0, exp = 0 } = decodeJwt(accessToken);
      expect(exp - iat).toBe(3600);
    });

    test('refuses an address that has an account, in any case of letters', async () => {
      const { email } = await server.user();

      const { data, error } = await server.visitor().auth.signUp({ email: email.toUpperCase(), password: 'Password1' });

      expect(data.session).toBeNull();
      expect(error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
    });

    test('makes one account of two sign-ups at the same moment', async () => {
      const credentials = { email: `twin-${kind}@example.com`, password: 'Password1' };

      const answers = await Promise.all([1, 2, 3].map(() => server.visitor().auth.signUp(credentials)));

      const codes = answers.map(({ error }) => error?.code ?? 'signed up').sort();
      expect(codes).toEqual(['signed up', 'user_already_exists', 'user_already_exists']);
    });

    test('refuses a short password with the reason', async () => {
      const { error } = await server.visitor().auth.signUp({ email: 'short@example.com', password: '12345' });

      expect(error).toMatchObject({
        status: 422,
        code: 'weak_password',
        message: 'Password should be at least 6 characters.',
        reasons: ['length'],
      });
    });

    test('refuses a password that bcrypt would cut', async () => {
      const { error } = await server.visitor().auth.signUp({ email: 'long@example.com', password: 'é'.repeat(37) });

      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test.each(['nobody', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com', `${'a'.repeat(300)}@b.com`])(
      'refuses the address %j with words that the form knows',
      async (email) => {
        const { error } = await server.visitor().auth.signUp({ email, password: 'Password1' });

        expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
        expect(signUpMessage(error?.message ?? '')).toBe('Please enter a valid email address.');
      },
    );

    test('refuses phones and anonymous accounts', async () => {
      const phone = await server.visitor().auth.signUp({ phone: '+10000000000', password: 'Password1' });
      const anonymous = await server.visitor().auth.signInAnonymously();

      expect(phone.error?.code).toBe('phone_provider_disabled');
      expect(anonymous.error?.code).toBe('anonymous_provider_disabled');
    });
  });

  describe('sign-in', () => {
    test('gives a session for the right password', async () => {
      const { email, password, id } = await server.user();
      const client = server.visitor();

      const { data, error } = await client.auth.signInWithPassword({ email, password });

      expect(error).toBeNull();
      expect(data.user?.id).toBe(id);
      expect((await client.auth.getUser()).data.user?.id).toBe(id);
    });

    test('says the same for a wrong password and an unknown address', async () => {
      const { email } = await server.user();

      const wrong = await server.visitor().auth.signInWithPassword({ email, password: 'Password2' });
      const unknown = await server
        .visitor()
        .auth.signInWithPassword({ email: 'none@example.com', password: 'Password1' });

      const refusal = { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' };
      expect(wrong.error).toMatchObject(refusal);
      expect(unknown.error).toMatchObject(refusal);
    });

    test('hashes for an unknown address too, so that the time tells nothing', async () => {
      const { email } = await server.user();
      const timeOf = async (address: string) => {
        const startedMs = performance.now();
        await server.visitor().auth.signInWithPassword({ email: address, password: 'Password2' });
        return performance.now() - startedMs;
      };
      const known: number[] = [];
      const unknown: number[] = [];
      for (let round = 0; round < 5; round += 1) {
        known.push(await timeOf(email));
        unknown.push(await timeOf(`none${round}@example.com`));
      }

      expect(Math.min(...unknown)).toBeGreaterThan(Math.min(...known) / 3);
    });

    test('refuses a banned account', async () => {
      const { email, password, id } = await server.user();
      await server.database.query(
        OWNER,
        "update auth.users set banned_until = now() + interval '1 day' where id = $1",
        [id],
      );

      const { error } = await server.visitor().auth.signInWithPassword({ email, password });

      expect(error?.code).toBe('user_banned');
    });
  });

  describe('refresh', () => {
    test('rotates the token and keeps the session', async () => {
      const { client, accessToken, refreshToken } = await signedIn();

      const { data, error } = await client.auth.refreshSession();

      expect(error).toBeNull();
      expect(data.session?.refresh_token).not.toBe(refreshToken);
      expect(decodeJwt(data.session?.access_token ?? '').session_id).toBe(decodeJwt(accessToken).session_id);
    });

    test('five at once give one live token', async () => {
      const { refreshToken, id } = await signedIn();

      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => refresh(refreshToken)));

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      const live = await server.database.query(
        OWNER,
        'select 1 from auth.refresh_tokens where user_id = $1 and used_at is null and not revoked',
        [id],
      );
      expect(live).toHaveLength(1);
    });

    test('an old token within the window leads to the live one, however many exchanges lie between', async () => {
      const { refreshToken } = await signedIn();
      const second = await refresh(refreshToken);
      const third = await refresh(String(second.body.refresh_token));

      const again = await refresh(refreshToken);

      expect(again.status).toBe(200);
      expect(again.body.refresh_token).toBe(third.body.refresh_token);
    });

    test('an old token beyond the window ends the whole family and its session', async () => {
      const { refreshToken } = await signedIn();
      const second = await refresh(refreshToken);
      expect(await statusOfUser(String(second.body.access_token))).toBe(200);
      server.advance(TEN_SECONDS_MS + 1000);

      const reuse = await refresh(refreshToken);

      expect(reuse).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used', code: 400 } });
      expect(await refresh(String(second.body.refresh_token))).toMatchObject({
        status: 400,
        body: { error_code: 'refresh_token_already_used' },
      });
      expect(await statusOfUser(String(second.body.access_token))).toBe(403);
    });

    test('meets a sign-out at the same moment without breaking', async () => {
      const users = await Promise.all([1, 2, 3, 4].map(() => signedIn()));

      const statuses = await Promise.all(
        users.flatMap(({ refreshToken, accessToken }) => [
          ...[1, 2, 3].map(async () => (await refresh(refreshToken)).status),
          post('/auth/v1/logout', {}, { authorization: `Bearer ${accessToken}` }).then((answer) => answer.status),
        ]),
      );

      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      const after = await Promise.all(users.map(({ refreshToken }) => refresh(refreshToken)));
      expect(after.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    });

    test('stores no token, only its hash', async () => {
      const { refreshToken } = await signedIn();

      const rows = await server.database.query(OWNER, 'select token_hash from auth.refresh_tokens');

      expect(JSON.stringify(rows)).not.toContain(refreshToken);
      expect(rows.every((row) => /^[0-9a-f]{64}$/.test(String(row.token_hash)))).toBe(true);
    });

    test('refuses a made-up token', async () => {
      expect(await refresh('made-up')).toMatchObject({ status: 400, body: { error_code: 'refresh_token_not_found' } });
    });
  });

  describe('the account', () => {
    test('keeps, merges and removes its data', async () => {
      const { client } = await server.user();
      await client.auth.updateUser({ data: { full_name: 'Ada', city: 'London' } });

      const { data, error } = await client.auth.updateUser({ data: { city: null, age: 36 } });

      expect(error).toBeNull();
      expect(data.user?.user_metadata).toEqual({ full_name: 'Ada', age: 36 });
    });

    test('changes its password, which ends every other session at once', async () => {
      const { client, email, password, accessToken } = await server.user();
      const other = server.visitor();
      const signIn = await other.auth.signInWithPassword({ email, password });
      const otherToken = signIn.data.session?.access_token ?? '';
      expect(await statusOfUser(otherToken)).toBe(200);

      const same = await client.auth.updateUser({ password });
      const { error } = await client.auth.updateUser({ password: 'Password2' });

      expect(same.error).toMatchObject({ status: 422, code: 'same_password' });
      expect(error).toBeNull();
      expect(await statusOfUser(otherToken)).toBe(403);
      expect(await statusOfUser(accessToken)).toBe(200);
      expect((await other.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
      const oldPassword = await server.visitor().auth.signInWithPassword({ email, password });
      const newPassword = await server.visitor().auth.signInWithPassword({ email, password: 'Password2' });
      expect([oldPassword.error?.code, newPassword.error]).toEqual(['invalid_credentials', null]);
    });

    test('leaves no session behind that the old password opened while it changed', async () => {
      const { client, email, password } = await server.user();
      const signIns = [0, 30, 60, 90, 120].map(async (delayMs) => {
        await new Promise((settle) => setTimeout(settle, delayMs));
        const { data } = await server.visitor().auth.signInWithPassword({ email, password });
        return data.session?.access_token ?? null;
      });

      const { error } = await client.auth.updateUser({ password: 'Password3' });
      const opened = (await Promise.all(signIns)).filter((token) => token !== null);

      expect(error).toBeNull();
      expect(await Promise.all(opened.map(statusOfUser))).toEqual(opened.map(() => 403));
    });

    test('cannot grow data past what a header holds', async () => {
      const { client } = await server.user();

      const { error } = await client.auth.updateUser({ data: { note: 'x'.repeat(5000) } });

      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    });

    test.each<['global' | 'local' | 'others', number, number]>([
      ['global', 403, 403],
      ['local', 403, 200],
      ['others', 200, 403],
    ])('signs out with scope %s: this session answers %i, another %i', async (scope, mine, another) => {
      const { client, email, password, accessToken } = await server.user();
      const signIn = await server.visitor().auth.signInWithPassword({ email, password });
      const otherToken = signIn.data.session?.access_token ?? '';
      expect(await statusOfUser(accessToken)).toBe(200);
      expect(await statusOfUser(otherToken)).toBe(200);

      const { error } = await client.auth.signOut({ scope });

      expect(error).toBeNull();
      expect(await statusOfUser(accessToken)).toBe(mine);
      expect(await statusOfUser(otherToken)).toBe(another);
    });

    test('refuses a signed-out token on tables and for our own functions', async () => {
      const { client, accessToken } = await server.user();
      const sessionId = String(decodeJwt(accessToken).session_id);
      expect(await server.verifier.isSessionLive(sessionId)).toBe(true);

      await client.auth.signOut();

      expect(await server.verifier.isSessionLive(sessionId)).toBe(false);
      const answer = await server.request('/rest/v1/any', { headers: { authorization: `Bearer ${accessToken}` } });
      expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([401, true]);
    });

    test('refuses an expired token', async () => {
      const { accessToken } = await server.user();
      server.advance(3601 * 1000);

      expect(await statusOfUser(accessToken)).toBe(403);
    });
  });

  describe('the door', () => {
    test('asks for an api key everywhere but at the public keys and the sign of life', async () => {
      const bare = (path: string, init?: RequestInit) => fetch(`${server.url}/auth/v1${path}`, init);

      const statuses = await Promise.all([
        bare('/user').then((answer) => answer.status),
        bare('/signup', { method: 'POST', body: '{}' }).then((answer) => answer.status),
        bare('/settings', { headers: { apikey: 'wrong' } }).then((answer) => answer.status),
        bare('/health').then((answer) => answer.status),
        bare('/.well-known/jwks.json').then((answer) => answer.status),
      ]);

      expect(statuses).toEqual([401, 401, 401, 200, 200]);
    });

    test('shows no private key', async () => {
      const keys = await (await fetch(`${server.url}/auth/v1/.well-known/jwks.json`)).json();

      expect(keys.keys).toHaveLength(1);
      expect(keys.keys[0]).not.toHaveProperty('d');
    });

    test('takes no token signed by somebody else, nor one without signature', async () => {
      const { accessToken } = await server.user();
      const [header = '', payload = ''] = accessToken.split('.');
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;

      expect(await statusOfUser(unsigned)).toBe(403);
      expect(await statusOfUser(`${header}.${payload}.${'A'.repeat(86)}`)).toBe(403);
      expect(await statusOfUser(server.keys.anonKey)).toBe(403);
    });

    test.each<[string, string, number]>([
      ['no JSON', '{', 400],
      ['an array', '[]', 400],
      ['null', 'null', 400],
      ['a number as address', '{"email": 1, "password": "Password1"}', 400],
      ['an object as password', '{"email": "a@example.com", "password": {"a": 1}}', 400],
      ['data that is a list', '{"email": "a@example.com", "password": "Password1", "data": []}', 400],
      ['an escaped NUL', '{"email": "nul@example.com", "password": "Pass\\u0000word1"}', 400],
      ['a raw NUL', '{"email": "nul@example.com\0", "password": "Password1"}', 400],
      [
        'half a surrogate pair',
        '{"email": "half@example.com", "password": "Password1", "data": {"a": "\\ud800"}}',
        400,
      ],
      [
        'a body beyond 64 KiB',
        `{"email": "big@example.com", "password": "Password1", "x": "${'x'.repeat(70_000)}"}`,
        413,
      ],
      [
        'lists nested without end',
        `{"email": "deep@example.com", "password": "Password1", "data": {"a": ${'['.repeat(25_000)}${']'.repeat(25_000)}}}`,
        400,
      ],
    ])('refuses %s', async (_what, body, status) => {
      const answer = await server.request('/auth/v1/signup', { method: 'POST', headers: JSON_TYPE, body });

      expect(answer.status).toBe(status);
      const refusal = await answer.json();
      expect(refusal).toMatchObject({ code: status, error_code: expect.any(String), msg: expect.any(String) });
      expect(answer.headers.get('x-sb-error-code')).toBe(refusal.error_code);
    });

    test('refuses a body in pieces that grows beyond the limit', async () => {
      const pieces = new ReadableStream({
        start(controller) {
          for (let piece = 0; piece < 80; piece += 1) controller.enqueue(new TextEncoder().encode(' '.repeat(1024)));
          controller.close();
        },
      });

      const init = { method: 'POST', headers: JSON_TYPE, body: pieces, duplex: 'half' } as RequestInit;
      const answer = await server.request('/auth/v1/signup', init);

      expect(answer.status).toBe(413);
    });

    test.each<[string, string]>([
      ['POST', '/otp'],
      ['POST', '/verify'],
      ['POST', '/recover'],
      ['POST', '/resend'],
      ['GET', '/reauthenticate'],
      ['GET', '/authorize?provider=google'],
      ['POST', '/factors'],
      ['POST', '/sso'],
      ['POST', '/token?grant_type=pkce'],
    ])('says that %s %s is not available yet', async (method, path) => {
      const answer = await server.request(`/auth/v1${path}`, { method });

      expect(answer.status).toBe(501);
      expect(await answer.json()).toEqual({ code: 501, error_code: 'not_available', msg: 'This is not available yet' });
    });

    test('gives no permission to another origin', async () => {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };

      const preflight = await server.request('/auth/v1/token', { method: 'OPTIONS', headers });
      const answer = await server.request('/auth/v1/settings', { headers });

      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    });
  });
});

describe.each(testDatabaseKinds())('limits on %s', (kind) => {
  let server: BackendTestServer;

  beforeAll(async () => {
    server = await backendTestServer(kind, {
      limits: { signInPerAccount: { points: 3, perS: 60 }, signUpPerAddress: { points: 4, perS: 60 } },
    });
  });
  afterAll(() => server.close());

  test('a few wrong passwords and the account must wait, the right one included', async () => {
    const { email, password } = await server.user();
    const signIn = (attempt: string) => server.visitor().auth.signInWithPassword({ email, password: attempt });
    await signIn('wrong-1');
    await signIn('wrong-2');
    expect((await signIn(password)).error).toBeNull();
    for (const attempt of ['wrong-1', 'wrong-2', 'wrong-3'])
      expect((await signIn(attempt)).error?.code).toBe('invalid_credentials');

    const { error } = await signIn(password);

    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit', message: 'Too many requests' });
  });

  test('too many sign-ups from one address must wait as long as the answer says', async () => {
    const client = createClient(server.url, server.keys.anonKey, { auth: { persistSession: false } });
    for (let count = 0; count < 4; count += 1)
      await client.auth.signUp({ email: `many${count}@example.com`, password: '1' });

    const answer = await server.request('/auth/v1/signup', { method: 'POST', headers: JSON_TYPE, body: '{}' });

    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
