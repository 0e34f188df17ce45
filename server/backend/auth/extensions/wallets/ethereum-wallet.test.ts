import { expect, test } from 'vitest';
import { AuthError } from '../../auth-error.ts';
import { isSignedByEthereum } from './wallet-signatures.ts';

/** The account and the first signature are the example in the documentation of web3.js (`accounts.sign`). */
const ADDRESS = '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23';
const R = 'b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd';
const S = '6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a029';
/** The same signature with the other of the two numbers that fit: the order of the curve less S. */
const HIGH_S = '9ff818b327d1fc847ffe79bdd03d25e83e3a5df66962ceb160751b8bd754a118';
const TEXT = 'Some data';

const SIWE = `kat.example wants you to sign in with your Ethereum account:
${ADDRESS}

Sign in to Kat

URI: https://kat.example/sign-in
Version: 1
Chain ID: 1
Nonce: abcd1234
Issued At: 2026-11-20T12:00:00.000Z`;

// All but the first were signed by viem 2.56.9 with the key of that example.
test.each([
  [TEXT, `${R}${S}1c`],
  [
    '',
    '8a68b4e66cd2b575338e16069d7b65f6f67c7ceae8945dccf8cb7bdb06278d933dd9c888f3444ca4698464079a067ad3cfffe96d493b8ecf56885169d0fdfe7d1b',
  ],
  [
    'grüße \u{1f600}\n二',
    'e3990cb176285865c84cfa9d8c0a3ce69d607f64346f96291d5b5f88ae8b32ee0059eac050e9d2b2011ab7d7741d1cfe4d3d762c87898adf3ab2234845f9c9091c',
  ],
  [
    SIWE,
    '164fcdf32479ac20aa119b4013da36d9acdea9d3a86c47bdcaf135af3d13535a5c5b54253485919e47be0673e8f6a358b19d874c4e11764f47a59eee188350101b',
  ],
])('accepts the signature of %j and of no other message', async (message, signature) => {
  expect(await isSignedByEthereum(ADDRESS, message, `0x${signature}`)).toBe(true);
  expect(await isSignedByEthereum(ADDRESS.toLowerCase(), message, signature.toUpperCase())).toBe(true);
  expect(await isSignedByEthereum(ADDRESS, `${message} `, signature)).toBe(false);
  expect(await isSignedByEthereum(ADDRESS.replace('2c', '2d'), message, signature)).toBe(false);
});

test.each([
  ['the last byte 1', `${R}${S}01`],
  ['the larger of the two numbers', `${R}${HIGH_S}1b`],
])('accepts a signature with %s', async (_what, signature) => {
  expect(await isSignedByEthereum(ADDRESS, TEXT, signature)).toBe(true);
});

test.each<[string, string]>([
  ['the other key', `${R}${S}1b`],
  ...['02', '03', '1d', '23', '25', 'ff'].map(
    (last) => [`the last byte ${last}`, `${R}${S}${last}`] satisfies [string, string],
  ),
  ['a first number of zero', `${'0'.repeat(64)}${S}1b`],
  ['a second number of zero', `${R}${'0'.repeat(64)}1b`],
  ['numbers beyond the order of the curve', `${'f'.repeat(128)}1b`],
  ['no point on the curve', `${'5'.padStart(64, '0')}${S}1b`],
])('refuses a signature with %s', async (_what, signature) => {
  expect(await isSignedByEthereum(ADDRESS, TEXT, signature)).toBe(false);
});

test.each(['', '0x', R + S, `${R}${S}1c00`, `${R}${S}zz`])(
  'throws for %j, which is not 65 bytes',
  async (signature) => {
    await expect(isSignedByEthereum(ADDRESS, TEXT, signature)).rejects.toThrow(AuthError);
  },
);
