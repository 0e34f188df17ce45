/** Rotating the signing keys while people are signed in, through the client library. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { retireKeys, rotateKeys } from '../../server/backend/auth/keys/key-rotation.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { backendTestServer } from './support/backend.ts';

const HOUR_S = 3600;
const nowS = () => Math.floor(Date.now() / 1000);

describeBothAtNight('signing key rotation', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { signedIn, refresh, statusOfUser } = authCalls(server);

  const publishedKeys = async () => {
    const answer = await fetch(`${server().url}/auth/v1/.well-known/jwks.json`);
    return { answer, keys: (await answer.json()).keys };
  };

  test('keeps sessions during the rotation, and refuses the old key once it is retired', async () => {
    const [user, unseen] = [await signedIn(), await signedIn()];
    const oldAnonKey = server().keys.anonKey;

    await rotateKeys(server().dataDir, nowS());
    await server().keys.reload();
    const renewed = await refresh(user.refreshToken);
    const newToken = String(renewed.body.access_token);

    expect(await statusOfUser(user.accessToken)).toBe(200);
    expect(renewed.status).toBe(200);
    expect(await statusOfUser(newToken)).toBe(200);
    expect(decodeProtectedHeader(newToken).kid).not.toBe(decodeProtectedHeader(user.accessToken).kid);
    const { keys } = await publishedKeys();
    expect(keys.map(({ kid }: { kid: string }) => kid)).toEqual(
      [newToken, user.accessToken].map((token) => decodeProtectedHeader(token).kid),
    );

    await retireKeys(server().dataDir, nowS() + 2 * HOUR_S);
    await server().keys.reload();

    // Uses another token, because a verified one is cached for five seconds.
    expect(await statusOfUser(unseen.accessToken)).toBe(403);
    expect(await statusOfUser(newToken)).toBe(200);
    expect((await publishedKeys()).keys).toHaveLength(1);
    // A page that stayed open continues with the key it was given.
    const headers = { apikey: oldAnonKey, authorization: `Bearer ${oldAnonKey}` };
    const openPage = await fetch(`${server().url}/rest/v1/plans`, { headers });
    expect(openPage.status).toBe((await server().request('/rest/v1/plans')).status);
    expect((await fetch(`${server().url}/auth/v1/settings`, { headers })).status).toBe(200);
  });

  test('keeps tables open to a token of the old key, and rejects a forged one', async () => {
    const user = await signedIn();
    await rotateKeys(server().dataDir, nowS());
    await server().keys.reload();

    const { error } = await user.client.from('profiles').select('id');
    const forged = `${user.accessToken.slice(0, -10)}AAAAAAAAAA`;

    expect(error).toBeNull();
    expect(await statusOfUser(forged)).toBe(403);
  });

  test('publishes keys with which others can verify our tokens', async () => {
    const { accessToken } = await signedIn();
    const published = createRemoteJWKSet(new URL(`${server().url}/auth/v1/.well-known/jwks.json`));

    const { payload } = await jwtVerify(accessToken, published, { algorithms: ['ES256'] });
    const { answer, keys } = await publishedKeys();

    expect(payload.role).toBe('authenticated');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=600');
    for (const key of keys)
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'key_ops', 'kid', 'kty', 'use', 'x', 'y']);
  });
});
