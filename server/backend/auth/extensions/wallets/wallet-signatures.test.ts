import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { base58Bytes, isSignedBySolana } from './wallet-signatures.ts';

const hex = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString('hex'));

test.each([
  ['', ''],
  ['1', '00'],
  ['11', '0000'],
  ['2g', '61'],
  ['a3gV', '626262'],
  ['2cFupjhnEsSn59qHXstmK2ffpLv2', '73696d706c792061206c6f6e6720737472696e67'],
  ['11111111111111111111111111111111', '00'.repeat(32)],
  ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', '06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9'],
])('decodes %j in base 58 to %s', (text, bytes) => {
  expect(hex(base58Bytes(text))).toBe(bytes);
});

test.each(['0', 'O', 'I', 'l', 'a b', 'ä', '1'.repeat(45)])('refuses %j as base 58 of a key', (text) => {
  expect(base58Bytes(text)).toBeNull();
});

test('accepts no signature of a key that cannot exist', () => {
  const message = 'hello';
  const { privateKey } = generateKeyPairSync('ed25519');
  const signature = sign(null, Buffer.from(message), privateKey).toString('base64url');
  const addresses = ['1'.repeat(32), 'z'.repeat(44), 'z'.repeat(43), '2'.repeat(32), createHash('md5').digest('hex')];

  for (const address of addresses) expect(isSignedBySolana(address, message, signature)).toBe(false);
});
