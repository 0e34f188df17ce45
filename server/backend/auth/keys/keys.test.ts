import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSigningKeys } from './keys.ts';

const NOW_S = 1_800_000_000;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('makes keys once in a file with mode 600, and reads them again', async () => {
  const first = await openSigningKeys(join(folder, 'new'));
  const second = await openSigningKeys(join(folder, 'new'));

  const token = await first.sign({ role: 'authenticated' }, NOW_S, NOW_S + 60);
  expect((await second.verify(token, NOW_S * 1000)).role).toBe('authenticated');
  expect(second.anonKey).toBe(first.anonKey);
  expect(second.successorOf('a')).toBe(first.successorOf('a'));
  expect((await stat(join(folder, 'new', 'keys.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'new'))).toEqual(['keys.json']);
});

test('makes no keys where it may not, and names the command that does', async () => {
  const refused = openSigningKeys(folder, { mayMake: false });

  await expect(refused).rejects.toThrow(/npm run keys/);
  expect(await readdir(folder)).toEqual([]);
});

test('restricts a key file that other users could read to mode 600', async () => {
  await openSigningKeys(folder);
  await chmod(join(folder, 'keys.json'), 0o644);

  await openSigningKeys(folder);

  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
});

test('refuses a damaged file instead of replacing its keys', async () => {
  await writeFile(join(folder, 'keys.json'), '{"version": 1}');

  await expect(openSigningKeys(folder)).rejects.toThrow(/is damaged/);
  expect(await readFile(join(folder, 'keys.json'), 'utf8')).toBe('{"version": 1}');
});

test('verifies tokens of an older key too, so that keys can change without signing users out', async () => {
  const old = await openSigningKeys(join(folder, 'old'));
  const fresh = await openSigningKeys(join(folder, 'fresh'));
  const token = await old.sign({ role: 'authenticated' }, NOW_S, NOW_S + 60);
  const read = async (name: string) => JSON.parse(await readFile(join(folder, name, 'keys.json'), 'utf8'));
  const [oldFile, freshFile] = [await read('old'), await read('fresh')];
  const both = { ...freshFile, signing: [...freshFile.signing, ...oldFile.signing] };
  await writeFile(join(folder, 'fresh', 'keys.json'), JSON.stringify(both));

  const keys = await openSigningKeys(join(folder, 'fresh'));

  expect((await keys.verify(token, NOW_S * 1000)).role).toBe('authenticated');
  await expect(fresh.verify(token, NOW_S * 1000)).rejects.toThrow();
});

test('publishes only the public halves of the keys', async () => {
  const keys = await openSigningKeys(folder);
  const file = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));

  expect(JSON.stringify(keys.jwks)).not.toContain(file.signing[0].d);
  expect(keys.jwks.keys).toHaveLength(1);
});

test('refuses tokens that have expired or were signed with another key or algorithm', async () => {
  const keys = await openSigningKeys(folder);
  const token = await keys.sign({ role: 'anon' }, NOW_S, NOW_S + 60);
  const foreign = () => new SignJWT({ role: 'service_role' }).setExpirationTime(NOW_S + 60);
  const { privateKey } = await generateKeyPair('ES256');
  const publicText = new TextEncoder().encode(JSON.stringify(keys.jwks.keys[0]));
  const forged = [
    await foreign().setProtectedHeader({ alg: 'ES256' }).sign(privateKey),
    await foreign().setProtectedHeader({ alg: 'HS256' }).sign(publicText),
    'not a token',
  ];

  const attempts = forged.map((text) => keys.verify(text, NOW_S * 1000));

  expect((await Promise.allSettled(attempts)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'rejected',
  ]);
  await expect(keys.verify(token, (NOW_S + 60) * 1000)).rejects.toThrow();
  expect((await keys.verify(token, (NOW_S + 59) * 1000)).role).toBe('anon');
});
