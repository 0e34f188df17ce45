/**
 * Limits on guessing passwords and codes and on creating accounts, which must not let a stranger lock the owner out.
 */
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

const TOO_MANY = { error_code: 'over_request_rate_limit', msg: 'Too many requests' };
const ADDRESS = 'x-test-address';

describeBothAtNight('auth limits', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, {
      limits: {
        signInPerPair: { points: 3, perS: 60 },
        signInPerAccount: { points: 7, perS: 60 },
        factorVerifyPerPair: { points: 2, perS: 60 },
        factorVerifyPerPairADay: { points: 4, perS: 600 },
        factorVerifyPerAccount: { points: 5, perS: 60 },
        factorVerifyPerAccountADay: { points: 6, perS: 600 },
        signUpPerAddress: { points: 9, perS: 60 },
      },
      gateway: { clientAddress: (c) => c.req.header(ADDRESS) ?? 'elsewhere' },
    }),
  );
  const apps = authenticatorApps(server);

  async function post(path: string, body: unknown, headers: Record<string, string>) {
    const answer = await server().request(`/auth/v1${path}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  }

  function signIn(address: string, account: { email: string }, password: string) {
    return post('/token?grant_type=password', { email: account.email, password }, { [ADDRESS]: address });
  }

  test('block an address after three wrong passwords, but no other address', async () => {
    const owner = await server().user();
    for (let count = 0; count < 3; count += 1)
      expect((await signIn('thief', owner, `wrong-${count}`)).body.error_code).toBe('invalid_credentials');

    const thief = await signIn('thief', owner, owner.password);
    const home = await signIn('home', owner, owner.password);

    expect(thief).toMatchObject({ status: 429, body: TOO_MANY });
    expect(home.status).toBe(200);
  });

  test('reset wrong passwords after a right one only for its own address', async () => {
    const owner = await server().user();
    for (const address of ['home', 'thief']) for (const wrong of ['1', '2']) await signIn(address, owner, wrong);
    await signIn('home', owner, owner.password);

    const home = [await signIn('home', owner, '3'), await signIn('home', owner, '4')].map((one) => one.status);
    const thief = [await signIn('thief', owner, '3'), await signIn('thief', owner, '4')].map((one) => one.status);

    expect(home).toEqual([400, 400]);
    expect(thief).toEqual([400, 429]);
  });

  test('count wrong passwords from all addresses per account, but not right ones', async () => {
    const owner = await server().user();
    for (let count = 0; count < 8; count += 1) expect((await signIn('home', owner, owner.password)).status).toBe(200);

    const wrong = [];
    for (let count = 0; count < 8; count += 1) wrong.push((await signIn(`bot-${count}`, owner, 'wrong')).status);

    expect(wrong).toEqual([400, 400, 400, 400, 400, 400, 400, 429]);
  });

  test('do not count attempts refused by the address limit against the account', async () => {
    const owner = await server().user();

    for (let count = 0; count < 20; count += 1) await signIn('thief', owner, 'wrong');

    expect((await signIn('home', owner, owner.password)).status).toBe(200);
  });

  test('block an address that guesses codes with the right password, but not the owner', async () => {
    const owner = await apps.verified();
    const tryCode = async (address: string, code: string) => {
      const signedIn = await signIn(address, owner, owner.password);
      const headers = { authorization: `Bearer ${signedIn.body.access_token}`, [ADDRESS]: address };
      const challenge = await post(`/factors/${owner.app.factorId}/challenge`, {}, headers);
      return post(`/factors/${owner.app.factorId}/verify`, { challenge_id: challenge.body.id, code }, headers);
    };

    const thief = [];
    for (let count = 0; count < 3; count += 1) thief.push((await tryCode('thief', '000000')).status);
    const home = await tryCode('home', owner.app.code());

    expect(thief).toEqual([422, 422, 429]);
    expect(home.status).toBe(200);
  });

  test('refuse sign-ups beyond nine from one address, with a retry-after header', async () => {
    const fetchFromOne: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set(ADDRESS, 'one');
      return fetch(input, { ...init, headers });
    };
    const client = createClient(server().url, server().keys.anonKey, {
      auth: { persistSession: false },
      global: { fetch: fetchFromOne },
    });
    for (let count = 0; count < 9; count += 1)
      await client.auth.signUp({ email: `many${count}@example.com`, password: '1' });

    const headers = { ...JSON_TYPE, [ADDRESS]: 'one' };
    const answer = await server().request('/auth/v1/signup', { method: 'POST', headers, body: '{}' });

    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
