/** The issuer of access tokens, and tokens that were signed under a former issuer. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

const issuerOf = (token: unknown) => decodeJwt(String(token)).iss;

describeBothAtNight('access token issuer', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn, refresh, statusOfUser } = authCalls(server);

  test('names the address that the client library uses for the auth service', async () => {
    const user = await server().user();
    const { data } = await server().visitor().auth.signInWithPassword({ email: user.email, password: user.password });
    const renewed = await refresh(String(data.session?.refresh_token));

    const tokens = [user.accessToken, data.session?.access_token, renewed.body.access_token];
    expect(tokens.map(issuerOf)).toEqual(tokens.map(() => `${server().url}/auth/v1`));
  });

  test('follows the host name of the request', async () => {
    const { email, password } = await server().user();
    const byName = server().url.replace('127.0.0.1', 'localhost');

    const answer = await fetch(`${byName}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { ...JSON_TYPE, apikey: server().keys.anonKey },
      body: JSON.stringify({ email, password }),
    });

    expect(issuerOf((await answer.json()).access_token)).toBe(`${byName}/auth/v1`);
  });

  test('accepts tokens of a former issuer, and names the current one in the next token', async () => {
    const user = await signedIn();
    const { iat = 0, exp = 0, ...claims } = decodeJwt(user.accessToken);
    const former = await server().keys.sign({ ...claims, iss: 'http://localhost/auth/v1' }, iat, exp);

    const rows = await server().request('/rest/v1/profiles?select=id', {
      headers: { authorization: `Bearer ${former}` },
    });
    const renewed = await refresh(user.refreshToken);

    expect([await statusOfUser(former), rows.status]).toEqual([200, 200]);
    expect(issuerOf(renewed.body.access_token)).toBe(`${server().url}/auth/v1`);
  });
});

describeBothAtNight('access token issuer behind a public address', (kind) => {
  const server = openedForTests(() => backendTestServer(kind, { gateway: { publicUrl: 'https://kat.example' } }));

  test('names the public address, not the one that the proxy calls', async () => {
    expect(issuerOf((await server().user()).accessToken)).toBe('https://kat.example/auth/v1');
  });
});
