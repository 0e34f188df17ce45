/** Which keys are trusted. Hash and signature are simple generated ones, because only the rules of trust are tested here. */
import { expect, test } from 'vitest';
import { packHex, toHex } from '../ledger/bytes.ts';
import { announcementText, type KeyAnnouncement, keyIdOf } from '../ledger/day-statement.ts';
import type { PublishedKey } from '../ledger/record-files.ts';
import { newFindings } from './verify-findings.ts';
import { knownKeys, type VerifyTools } from './verify-keys.ts';

const tools: VerifyTools = {
  sha256: (bytes) => Uint8Array.from({ length: 32 }, (_, i) => bytes[i % bytes.length] ?? 0),
  utf8: (text) => Uint8Array.from(text, (character) => character.charCodeAt(0)),
  // Each byte of a signature is the first of the key that made it.
  verifyEd25519: (publicKey, signature) => signature.every((byte) => byte === publicKey[0]),
};

const bytesOf = (byte: number, length: number): Uint8Array => new Uint8Array(length).fill(byte);
const publicOf = (byte: number): string => toHex(bytesOf(byte, 32));
const idOf = async (byte: number): Promise<string> => keyIdOf(bytesOf(byte, 32), tools.sha256);
const signatureOf = (byte: number): string => `${packHex(toHex(bytesOf(byte, 64)))}==`;

/** Key `byte`, announced and signed by key `by`. */
async function announced(byte: number, by: number, own: Partial<KeyAnnouncement> = {}): Promise<PublishedKey> {
  const [key, other] = [await idOf(byte), await idOf(by)];
  const announcement = announcementText({ v: 1, key, public: publicOf(byte), from: 1000 * byte, by: other, ...own });
  return { id: key, public: publicOf(byte), announcement, signature: signatureOf(by) };
}
const first = async (byte: number): Promise<PublishedKey> => ({
  id: await idOf(byte),
  public: publicOf(byte),
  announcement: null,
  signature: null,
});

async function trustOf(published: readonly PublishedKey[], userKeys: readonly string[] = [publicOf(1)]) {
  const findings = newFindings();
  const known = await knownKeys(published, userKeys, tools, findings);
  const trusted = [...known.values()].filter(({ isTrusted }) => isTrusted);
  return {
    trusted: trusted.map(({ publicKey }) => publicKey[0]).sort(),
    retired: Object.fromEntries(trusted.map(({ publicKey, retiredS }) => [publicKey[0], retiredS])),
    faults: findings
      .result()
      .findings.flatMap(({ severity, kind, text }) => (severity === 'fault' ? { kind, text } : [])),
  };
}

test('trusts keys that are announced one by another, in any order of the file, each retired by the next', async () => {
  const keys = [await announced(3, 2), await announced(2, 1), await first(1)];
  const trust = { trusted: [1, 2, 3], retired: { 1: 2000, 2: 3000, 3: null }, faults: [] };

  expect(await trustOf(keys)).toEqual(trust);
  expect(await trustOf(keys.toReversed())).toEqual(trust);
});

test('trusts no key whose announcer is not in the files', async () => {
  expect(await trustOf([await announced(3, 2), await first(1)])).toMatchObject({ trusted: [1], faults: [] });
});

test('trusts no key that another one signed than it names', async () => {
  const key = { ...(await announced(2, 1)), signature: signatureOf(9) };
  const { trusted, faults } = await trustOf([key, await first(1)]);

  expect(trusted).toEqual([1]);
  expect(faults).toEqual([
    { kind: 'announcement', text: `The announcement of key ${await idOf(2)} is not signed by key ${await idOf(1)}.` },
  ]);
});

test.each<[string, Partial<KeyAnnouncement>]>([
  ['another id', { key: '0'.repeat(16) }],
  ['other bytes', { public: publicOf(7) }],
])('refuses an announcement that names %s', async (_what, own) => {
  const { trusted, faults } = await trustOf([await announced(2, 1, own), await first(1)]);

  expect(trusted).toEqual([1]);
  expect(faults).toEqual([
    { kind: 'announcement', text: `The announcement of key ${await idOf(2)} names a different key.` },
  ]);
});

test.each([
  ['ab', 'ab'],
  ['not hex', 'not hex'],
  ['f'.repeat(500), `${'f'.repeat(64)} ...`],
])('refuses a given key that is not 32 bytes in hex, and shows no more than its start: %#', async (key, shown) => {
  expect((await trustOf([await first(1)], [key])).faults).toEqual([
    { kind: 'key-id', text: `The given key ${shown} isn't a 32-byte public key in hex.` },
  ]);
});

test('trusts no published key whose bytes do not give its id', async () => {
  const { trusted, faults } = await trustOf([{ ...(await first(1)), id: '0'.repeat(16) }], []);

  expect(trusted).toEqual([]);
  expect(faults).toMatchObject([{ kind: 'key-id' }]);
});

test('trusts a key that replaced a lost one only if the user gives it', async () => {
  const replaced = { ...(await announced(2, 1)), signature: null };
  const keys = [replaced, await first(1)];

  expect(await trustOf(keys)).toMatchObject({ trusted: [1], faults: [{ kind: 'unannounced-key' }] });
  expect(await trustOf(keys, [publicOf(1), publicOf(2)])).toMatchObject({ trusted: [1, 2], faults: [] });
});
