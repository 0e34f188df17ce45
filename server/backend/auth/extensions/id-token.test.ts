import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import type { IdTokenStatement, OAuthProvider } from '../providers/oauth-provider.ts';
import { ProviderFailure } from '../providers/provider-call.ts';
import { byIdToken } from './id-token.ts';

const NOW_MS = Date.parse('2026-11-20T10:00:00Z');
const sha256 = (text: string) => createHash('sha256').update(text);
const statement: IdTokenStatement = {
  profile: { provider: 'google', subject: '1', email: 'ada@example.com', isEmailVerified: true, identityData: {} },
  audiences: ['kat'],
  nonce: null,
  accessTokenHash: null,
  algorithm: 'RS256',
  expiresAtS: NOW_MS / 1000 + 600,
};

interface Parts {
  read?: () => Promise<IdTokenStatement | null>;
  google?: OAuthProvider | null;
}

/** How the route refuses a body; the error `reached` once it would look for the account. */
async function refusal(body: object, { read = async () => statement, ...parts }: Parts = {}): Promise<unknown> {
  const consumed: string[] = [];
  const lines: string[] = [];
  const google = {
    idTokens: { issuer: 'https://accounts.google.com', clientId: 'kat', read },
  } as Partial<OAuthProvider>;
  const deps = {
    limits: { signInPerAddress: { consume: async (address: string) => void consumed.push(address) } },
    clientAddress: () => '192.0.2.1',
    captcha: null,
    providers: { google: parts.google === undefined ? google : parts.google, github: {} },
    clock: { nowMs: () => NOW_MS },
    log: createLogger('info', { write: (line) => void lines.push(line) }),
    database: { transaction: () => Promise.reject(new Error('reached')) },
  } as unknown as AuthDeps;
  let found: unknown = null;
  const app = new Hono();
  app.post('/token', async (c) => {
    found = await byIdToken(c, deps).catch((error: unknown) => error);
    return c.body(null);
  });
  const text = JSON.stringify({ id_token: 'a.b.c', provider: 'google', ...body });
  await app.request('/token', { method: 'POST', body: text, headers: { 'content-type': 'application/json' } });
  expect(consumed).toEqual(['192.0.2.1']);
  return found instanceof AuthError ? `${found.status} ${found.errorCode}: ${found.message}` : found;
}
const reached = expect.objectContaining({ message: 'reached' });
const claims = (change: Partial<IdTokenStatement>) => ({ read: async () => ({ ...statement, ...change }) });

test.each([
  ['no token', { id_token: null }, 'id_token required'],
  ['an empty token', { id_token: '' }, 'id_token required'],
  ['no provider', { provider: undefined }, 'provider or client_id and issuer required'],
  ['an empty provider', { provider: '' }, 'provider or client_id and issuer required'],
  ['GitHub, which issues none', { provider: 'github' }, 'Custom OIDC provider "github" not allowed'],
  ['a long name', { provider: 'x'.repeat(60) }, `Custom OIDC provider "${'x'.repeat(50)}" not allowed`],
])('refuses %s', async (_what, body, message) => {
  expect(await refusal(body)).toBe(`400 validation_failed: ${message}`);
});

test.each([
  ['is not configured', null],
  ['issues no tokens', { idTokens: null } as OAuthProvider],
])('names the issuer when Google %s', async (_what, google) => {
  expect(await refusal({}, { google })).toBe(
    '400 provider_disabled: Provider (issuer "https://accounts.google.com") is not enabled',
  );
});

test('refuses an invalid token, and one for another client', async () => {
  expect(await refusal({}, { read: async () => null })).toBe('400 validation_failed: Bad ID token');
  expect(await refusal({}, claims({ audiences: ['other'] }))).toBe(
    '400 validation_failed: Unacceptable audience in id_token',
  );
  expect(await refusal({}, claims({ audiences: ['other', 'kat'] }))).toEqual(reached);
});

test('reports an unresponsive provider as unavailable, and passes other failures on', async () => {
  const away = () => Promise.reject(new ProviderFailure('google', 'keys', new Error('away')));
  expect(await refusal({}, { read: away })).toMatch(/^50\d unexpected_failure: /);
  expect(await refusal({}, { read: () => Promise.reject(new TypeError('a bug')) })).toBeInstanceOf(TypeError);
});

test('requires a nonce on both sides or on neither, and the same one', async () => {
  const both = '400 validation_failed: Passed nonce and nonce in id_token should either both exist or not.';
  const hashed = claims({ nonce: sha256('page').digest('hex') });
  expect(await refusal({ nonce: 'page' })).toBe(both);
  expect(await refusal({}, hashed)).toBe(both);
  expect(await refusal({ nonce: '' }, hashed)).toBe(both);
  expect(await refusal({ nonce: 'other' }, hashed)).toBe('400 validation_failed: Nonces mismatch');
  expect(await refusal({ nonce: 'page' }, claims({ nonce: 'page' }))).toBe('400 validation_failed: Nonces mismatch');
  expect(await refusal({ nonce: 'page' }, hashed)).toEqual(reached);
  expect(await refusal({ nonce: '' })).toEqual(reached);
});

test.each([
  ['RS256', 'sha256', 16],
  ['PS384', 'sha384', 24],
  ['ES512', 'sha512', 32],
  ['EdDSA', 'sha512', 32],
])("accepts only the token's own access token: %s", async (algorithm, hash, half) => {
  const digest = createHash(hash).update('own').digest();
  const token = claims({ algorithm, accessTokenHash: digest.subarray(0, half).toString('base64url') });
  expect(await refusal({ access_token: 'own' }, token)).toEqual(reached);
  expect(await refusal({ access_token: 'other' }, token)).toBe('400 validation_failed: Bad ID token');
  expect(await refusal({ access_token: '' }, token)).toEqual(reached);
});

test('takes an access token unchecked when the token says nothing about it', async () => {
  expect(await refusal({ access_token: 'any' })).toEqual(reached);
});
