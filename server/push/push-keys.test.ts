/** Tests that the key pair is made once, readable only by its owner, and never replaced automatically. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPushKeys, openPushKeys, PushKeysUnusable } from './push-keys.ts';

let folder: string;
const path = () => join(folder, 'push-keys.json');
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-push-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('gives processes that start simultaneously one pair, in a file with mode 600', async () => {
  const opened = await Promise.all(Array.from({ length: 4 }, () => openPushKeys(folder, null)));

  expect(new Set(opened.map(({ privateKey }) => privateKey)).size).toBe(1);
  expect(await openPushKeys(folder, null)).toEqual(opened[0]);
  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

test('restricts a file that other users may read to mode 600', async () => {
  await openPushKeys(folder, null);
  await chmod(path(), 0o644);

  await openPushKeys(folder, null);

  expect((await stat(path())).mode & 0o777).toBe(0o600);
});

test.each([
  ['halves of two pairs', () => ({ ...newPushKeys(), publicKey: newPushKeys().publicKey })],
  ['a private key of zero', () => ({ ...newPushKeys(), privateKey: 'A'.repeat(43) })],
  ['a public key alone', () => ({ publicKey: newPushKeys().publicKey })],
  ['nothing', () => null],
])('refuses %s and leaves them unchanged, because a new pair would end every subscription', async (_what, makeKeys) => {
  const text = JSON.stringify(makeKeys());
  await writeFile(path(), text);

  const refused = openPushKeys(folder, null);

  await expect(refused).rejects.toThrow(PushKeysUnusable);
  await expect(refused).rejects.not.toThrow(/[\w-]{43}/);
  expect(await readFile(path(), 'utf8')).toBe(text);
});

test('prefers keys of the settings, and makes no file', async () => {
  const keys = newPushKeys();

  expect(await openPushKeys(folder, keys)).toEqual(keys);
  await expect(stat(path())).rejects.toThrow('ENOENT');
  await expect(openPushKeys(folder, { ...keys, privateKey: newPushKeys().privateKey })).rejects.toThrow('PUSH_KEYS');
});
