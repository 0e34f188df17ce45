/** What the auth service refuses: missing keys, forged tokens, malformed bodies, other origins. */
import { describe, expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

describeBothAtNight('accounts', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { statusOfUser } = authCalls(server);

  describe('HTTP gateway', () => {
    test('requires an API key except for the public keys and the health check', async () => {
      const bare = (path: string, init?: RequestInit) => fetch(`${server().url}/auth/v1${path}`, init);

      const statuses = await Promise.all([
        bare('/user').then((answer) => answer.status),
        bare('/signup', { method: 'POST', body: '{}' }).then((answer) => answer.status),
        bare('/settings', { headers: { apikey: 'wrong' } }).then((answer) => answer.status),
        bare('/health').then((answer) => answer.status),
        bare('/.well-known/jwks.json').then((answer) => answer.status),
      ]);

      expect(statuses).toEqual([401, 401, 401, 200, 200]);
    });

    test('publishes no private key', async () => {
      const keys = await (await fetch(`${server().url}/auth/v1/.well-known/jwks.json`)).json();

      expect(keys.keys).toHaveLength(1);
      expect(keys.keys[0]).not.toHaveProperty('d');
    });

    test('rejects tokens with a forged or missing signature', async () => {
      const { accessToken } = await server().user();
      const [header = '', payload = ''] = accessToken.split('.');
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;

      expect(await statusOfUser(unsigned)).toBe(403);
      expect(await statusOfUser(`${header}.${payload}.${'A'.repeat(86)}`)).toBe(403);
      expect(await statusOfUser(server().keys.anonKey)).toBe(403);
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
      const answer = await server().request('/auth/v1/signup', { method: 'POST', headers: JSON_TYPE, body });

      expect(answer.status).toBe(status);
      const refusal = await answer.json();
      expect(refusal).toMatchObject({ code: status, error_code: expect.any(String), msg: expect.any(String) });
      expect(answer.headers.get('x-sb-error-code')).toBe(refusal.error_code);
    });
  });
});
