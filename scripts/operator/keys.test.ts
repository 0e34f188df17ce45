import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('keys.ts', import.meta.url));
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-keys-'));
});
afterEach(() => rm(folder, { recursive: true }));

const keys = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [SCRIPT, ...args], { env: { DATA_DIR: folder } })).stdout;
const kids = async () =>
  JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')).signing.map(({ kid }: { kid: string }) => kid);

test('creates keys once, rotates them, retires none too early and shows no secret', async () => {
  const created = await keys();
  const [first] = await kids();
  const again = await keys();
  const rotated = await keys('--rotate');
  const retired = await keys('--retire');

  expect([created, again].every((text) => text.includes(first))).toBe(true);
  expect(rotated).toContain((await kids())[0]);
  expect(retired).toMatch(new RegExp(`No key was retired.\\nKey ${first} remains until \\d+ \\w+ \\d{4}, `));
  expect(await kids()).toEqual([expect.not.stringContaining(first), first]);
  const { refreshSecret, serviceRoleKey } = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8'));
  for (const text of [created, again, rotated, retired])
    for (const secret of [refreshSecret, serviceRoleKey]) expect(text).not.toContain(secret);
});

test.each([
  [['--rotate'], /Create it once with: npm run keys/],
  [['--burn'], /--burn/],
])('refuses %j in a sentence where there are no keys', async (args, message) => {
  await expect(keys(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
});
