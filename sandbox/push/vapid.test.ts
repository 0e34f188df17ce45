import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { vapidFault } from './vapid.ts';

const NOW_S = Date.UTC(2026, 10, 27) / 1000;
const DAY_S = 86_400;
const ORIGIN = 'https://push.test';
const CLAIMS = { aud: ORIGIN, exp: NOW_S + 3600, sub: 'mailto:a@kat.test' };
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
const KEY = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
  'base64url',
);

interface Token {
  /** Sent as they are if they are texts. */
  header?: unknown;
  claims?: unknown;
}

function headerOf({ header = { typ: 'JWT', alg: 'ES256' }, claims = CLAIMS }: Token = {}): string {
  const encoded = [header, claims].map((part) =>
    Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url'),
  );
  const text = encoded.join('.');
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${text}.${signature.toString('base64url')}, k=${KEY}`;
}

const faultOf = (authorization: string | undefined) =>
  vapidFault(authorization, { origin: ORIGIN, publicKey: KEY, nowS: NOW_S });

test('accepts a token for this service and sender, for up to a day, with an address of the sender', () => {
  expect(faultOf(headerOf())).toBeNull();
  expect(faultOf(headerOf().replace(', k=', ',k='))).toBeNull();
  expect(faultOf(headerOf({ claims: { ...CLAIMS, exp: NOW_S + DAY_S, sub: 'https://kat.test' } }))).toBeNull();
});

test.each<[string, string | undefined, string]>([
  ['none', undefined, 'no vapid header'],
  ['one without its key', headerOf().replace(/, k=.*/, ''), 'no vapid header'],
  ['one of another scheme', headerOf().replace('vapid', 'WebPush'), 'no vapid header'],
  ['one with a changed part', headerOf().replace('vapid t=', 'vapid t=a'), 'wrong signature'],
  ['a symmetric algorithm', headerOf({ header: { typ: 'JWT', alg: 'HS256' } }), 'unsupported algorithm'],
  ['a header that is no JSON', headerOf({ header: 'ES256' }), 'unsupported algorithm'],
  ['claims that are no JSON', headerOf({ claims: 'aud' }), 'missing claims'],
  ['no address of the sender', headerOf({ claims: { ...CLAIMS, sub: undefined } }), 'missing claims'],
  ['an address without a scheme', headerOf({ claims: { ...CLAIMS, sub: 'a@kat.test' } }), 'missing claims'],
  ['no end', headerOf({ claims: { ...CLAIMS, exp: undefined } }), 'missing claims'],
  ['another service', headerOf({ claims: { ...CLAIMS, aud: 'https://other.test' } }), 'for another push service'],
  ['an end that has come', headerOf({ claims: { ...CLAIMS, exp: NOW_S } }), 'expired, or valid for more than a day'],
  [
    'an end after more than a day',
    headerOf({ claims: { ...CLAIMS, exp: NOW_S + DAY_S + 1 } }),
    'expired, or valid for more than a day',
  ],
])('refuses a token: %s', (_what, authorization, fault) => {
  expect(faultOf(authorization)).toBe(fault);
});
