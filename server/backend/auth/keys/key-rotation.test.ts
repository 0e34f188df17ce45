import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { followKeyFile, retireKeys, rotateKeys } from './key-rotation.ts';
import { openSigningKeys } from './keys.ts';

const nowS = Math.floor(Date.now() / 1000);
const HOUR_S = 3600;
const RETIRED_AFTER_S = HOUR_S + 15 * 60;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-rotation-'));
});
afterEach(() => rm(folder, { recursive: true }));

const keyFile = async () => JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));

test('signs with a new key after a rotation, verifies with both, and keeps every other secret', async () => {
  const keys = await openSigningKeys(folder);
  const before = await keys.sign({ role: 'authenticated' }, nowS, nowS + HOUR_S);
  const sealed = await keys.seal('a secret');
  const [successor, hash] = [keys.successorOf('token'), keys.keyedHash('code', '123456')];

  await rotateKeys(folder, nowS);
  const isRead = await keys.reload();

  const after = await keys.sign({ role: 'authenticated' }, nowS, nowS + HOUR_S);
  expect(isRead).toBe(true);
  expect(kidOf(after)).not.toBe(kidOf(before));
  expect(keys.jwks.keys.map(({ kid }) => kid)).toEqual([kidOf(after), kidOf(before)]);
  for (const token of [before, after]) expect((await keys.verify(token, nowS * 1000)).role).toBe('authenticated');
  expect(await keys.unseal(sealed)).toBe('a secret');
  expect([keys.successorOf('token'), keys.keyedHash('code', '123456')]).toEqual([successor, hash]);
});

test('retires an older key once its last token has expired, and not before', async () => {
  const keys = await openSigningKeys(folder);
  const before = await keys.sign({ role: 'authenticated' }, nowS, nowS + 100 * HOUR_S);
  await rotateKeys(folder, nowS);

  const early = await retireKeys(folder, nowS + RETIRED_AFTER_S - 1);
  const due = await retireKeys(folder, nowS + RETIRED_AFTER_S);
  await keys.reload();

  expect(early).toEqual({ retired: [], waiting: [{ kid: kidOf(before), untilS: nowS + RETIRED_AFTER_S }] });
  expect(due).toEqual({ retired: [kidOf(before)], waiting: [] });
  expect(keys.jwks.keys).toHaveLength(1);
  await expect(keys.verify(before, nowS * 1000)).rejects.toThrow();
});

test('retires each of several older keys by the age of its successor', async () => {
  await openSigningKeys(folder);
  const first = (await keyFile()).signing[0].kid;
  const { kid: second } = await rotateKeys(folder, nowS);
  await rotateKeys(folder, nowS + HOUR_S);

  const outcome = await retireKeys(folder, nowS + RETIRED_AFTER_S);

  expect(outcome.retired).toEqual([first]);
  expect(outcome.waiting).toEqual([{ kid: second, untilS: nowS + HOUR_S + RETIRED_AFTER_S }]);
});

test('replaces the anon key but keeps old ones valid, and retires an old service key with its signing key', async () => {
  const keys = await openSigningKeys(folder);
  const old = { anon: keys.anonKey, service: keys.serviceRoleKey };

  await rotateKeys(folder, nowS);
  await keys.reload();
  const rolesBetween = await Promise.all([old.anon, old.service].map((key) => keys.verify(key, nowS * 1000)));
  await retireKeys(folder, nowS + RETIRED_AFTER_S);
  await keys.reload();

  expect(keys.anonKey).not.toBe(old.anon);
  expect(rolesBetween.map(({ role }) => role)).toEqual(['anon', 'service_role']);
  expect((await keys.verify(old.anon, nowS * 1000)).role).toBe('anon');
  await expect(keys.verify(old.service, nowS * 1000)).rejects.toThrow();
  expect((await keys.verify(keys.serviceRoleKey, nowS * 1000)).role).toBe('service_role');
});

test('rotates and retires keys of a file from before rotations', async () => {
  await openSigningKeys(folder);
  const { formerAnonKeys: _former, ...file } = await keyFile();
  const signing = file.signing.map(({ addedAtS: _added, ...key }: { addedAtS?: number }) => key);
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ ...file, signing }));

  await rotateKeys(folder, nowS);
  const { retired } = await retireKeys(folder, nowS + RETIRED_AFTER_S);

  expect(retired).toEqual([signing[0].kid]);
});

test('keeps two keys that were combined by hand until a rotation', async () => {
  await openSigningKeys(folder);
  const file = await keyFile();
  const [{ addedAtS: _added, ...key }] = file.signing;
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ ...file, signing: [key, key] }));

  const outcome = await retireKeys(folder, nowS + 1000 * HOUR_S);

  expect(outcome).toEqual({ retired: [], waiting: [{ kid: key.kid, untilS: null }] });
});

test('leaves one file with mode 600 after a rotation, and requires an existing one', async () => {
  await expect(rotateKeys(folder, nowS)).rejects.toThrow(/npm run keys/);
  await openSigningKeys(folder);

  await rotateKeys(folder, nowS);

  expect(await readdir(folder)).toEqual(['keys.json']);
  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);
});

test('reloads a changed key file automatically, and keeps its keys when the file is damaged', async () => {
  const keys = await openSigningKeys(folder);
  const lines: string[] = [];
  const log = createLogger('info', { write: (line) => void lines.push(line) });
  const stop = followKeyFile({ keys, log, everyMs: 5 });
  try {
    const { kid } = await rotateKeys(folder, nowS);
    await until(() => keys.jwks.keys[0]?.kid === kid);

    const intact = await readFile(join(folder, 'keys.json'), 'utf8');
    await writeFile(join(folder, 'keys.json'), '{"version": 1, "refreshSecret": "half');
    await until(() => lines.some((line) => line.includes('could not be read')));

    expect(kidOf(await keys.sign({ role: 'anon' }, nowS, nowS + 60))).toBe(kid);
    await writeFile(join(folder, 'keys.json'), intact);
    expect(lines.join('')).not.toContain('half');
  } finally {
    await stop();
  }
});

test.each([
  ['one character', 'A'.repeat(43)],
  ['a pattern', 'abcd'.repeat(11)],
  ['an example', 'super-secret-jwt-token-with-at-least-32-characters-long'],
  ['a short one', 'Zk3hT9qLw2'],
])('refuses a refresh secret of %s', async (_what, refreshSecret) => {
  await openSigningKeys(folder);
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ ...(await keyFile()), refreshSecret }));

  await expect(openSigningKeys(folder)).rejects.toThrow(/npm run keys|damaged/);
});

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { interval: 5 }).toBe(true);
}
