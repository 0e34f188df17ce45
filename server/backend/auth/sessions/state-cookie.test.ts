import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { type CallbackPath, endedStateCookie, hasStateCookie, setStateCookie } from './state-cookie.ts';

const STATE = 'a-state-of-forty-three-characters-or-so';

async function cookieOf(origin: string, path: CallbackPath): Promise<string> {
  const app = new Hono().get('/', (c) => {
    setStateCookie(c, origin, path, STATE);
    return c.body(null);
  });
  return (await app.request('/')).headers.get('set-cookie') ?? '';
}

test.each<[string, CallbackPath, string]>([
  ['https://kat.example', '/auth/v1/callback', 'HttpOnly; Secure; SameSite=Lax'],
  ['https://kat.example', '/auth/v1/sso/saml/acs', 'HttpOnly; Secure; SameSite=None'],
])('sets a cookie with the __Secure- prefix over https (%s%s)', async (origin, path, attributes) => {
  const cookie = await cookieOf(origin, path);

  expect(cookie).toBe(`__Secure-kat-sign-in-${STATE.slice(0, 12)}=${STATE}; Max-Age=900; Path=${path}; ${attributes}`);
  expect(endedStateCookie(origin, path, STATE)).toMatch(/^__Secure-kat-sign-in-\S+=; Max-Age=0;/);
});

test('ignores a cookie of plain http over https', async () => {
  const plain = (await cookieOf('http://127.0.0.1:3000', '/auth/v1/callback')).split(';')[0] ?? '';
  const taken = async (origin: string) => {
    const app = new Hono().get('/', (c) => c.json(hasStateCookie(c, origin, STATE)));
    return (await app.request('/', { headers: { cookie: plain } })).json();
  };

  expect([await taken('http://127.0.0.1:3000'), await taken('https://kat.example')]).toEqual([true, false]);
});
