import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { type IdTokenParts, idTokenReader } from './google-id-token.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const ISSUER = 'https://accounts.google.com';
const [own, strangers] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
const published = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k1', alg: 'ES256' }] };
const profile = { provider: 'google', subject: '1', email: null, isEmailVerified: false, identityData: {} } as const;

const claims = { iss: ISSUER, sub: '1', aud: 'kat', exp: NOW_MS / 1000 + 600 };
const sign = (change: object = {}, { key = own.privateKey, header = {} } = {}) =>
  new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'ES256', kid: 'k1', ...header }).sign(key);

function reader(change: Partial<IdTokenParts> = {}) {
  const calls: string[] = [];
  const call = async (url: string) => {
    calls.push(url);
    return Response.json(published);
  };
  const keysAddress = async () => 'https://keys.example/certs';
  const tokens = idTokenReader({
    issuer: ISSUER,
    clientId: 'kat',
    call,
    keysAddress,
    toProfile: () => profile,
    ...change,
  });
  return { calls, read: (token: string) => tokens.read(token, NOW_MS) };
}

test('reads a signed token, and fetches the keys once', async () => {
  const { calls, read } = reader();
  expect(await read(await sign())).toEqual({
    profile,
    audiences: ['kat'],
    nonce: null,
    accessTokenHash: null,
    algorithm: 'ES256',
    expiresAtS: claims.exp,
  });
  expect(await read(await sign({ aud: ['kat', 'other'], nonce: 'n', at_hash: 'h' }))).toMatchObject({
    audiences: ['kat', 'other'],
    nonce: 'n',
    accessTokenHash: 'h',
  });
  expect(calls).toEqual(['https://keys.example/certs']);
});

test('takes an empty or a wrong kind of nonce or hash for none', async () => {
  const { read } = reader();
  expect(await read(await sign({ nonce: '', at_hash: '' }))).toMatchObject({ nonce: null, accessTokenHash: null });
  expect(await read(await sign({ nonce: 7, at_hash: [] }))).toMatchObject({ nonce: null, accessTokenHash: null });
});

test("accepts both forms of Google's issuer, and of another issuer only its own", async () => {
  const bare = await sign({ iss: 'accounts.google.com' });
  expect(await reader().read(bare)).not.toBeNull();
  const other = reader({ issuer: 'http://127.0.0.1:9' });
  expect(await other.read(bare)).toBeNull();
  expect(await other.read(await sign({ iss: 'http://127.0.0.1:9' }))).not.toBeNull();
});

test.each([
  ['that has expired', () => sign({ exp: NOW_MS / 1000 })],
  ['without an end', () => sign({ exp: undefined })],
  ['without a subject', () => sign({ sub: undefined })],
  ['without an audience', () => sign({ aud: undefined })],
  ['of another issuer', () => sign({ iss: 'https://accounts.google.example' })],
  ['signed with another key', () => sign({}, { key: strangers.privateKey })],
  ['with an unknown key id', () => sign({}, { header: { kid: 'k2' } })],
  ['that is no token', async () => 'no.token.atall'],
])('rejects a token %s', async (_what, token) => {
  expect(await reader().read(await token())).toBeNull();
});

test('rejects a signed token whose claims describe no account', async () => {
  const toProfile = () => {
    throw new TypeError('no email');
  };
  expect(await reader({ toProfile }).read(await sign())).toBeNull();
});

test('fails while the keys cannot be fetched, instead of calling a good token invalid', async () => {
  const failure = expect.objectContaining({ name: 'ProviderFailure', provider: 'google', step: 'keys' });
  const call = () => Promise.reject(new TypeError('fetch failed'));
  await expect(reader({ call }).read(await sign())).rejects.toEqual(failure);
  await expect(reader({ keysAddress: async () => null }).read(await sign())).rejects.toEqual(failure);
});
