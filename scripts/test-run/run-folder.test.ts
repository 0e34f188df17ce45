import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failuresFolder } from '../../tests/support/failures/failures-folder.ts';
import { hasRoom, openRunFolder } from './run-folder.ts';

const GIB = 1024 ** 3;
let parent = '';

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'kat-parent-'));
  vi.stubEnv('TMPDIR', parent);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(parent, { recursive: true, force: true });
});

test('becomes the temporary folder of everything that runs afterwards, and can be read by other accounts', () => {
  const folder = openRunFolder();

  expect(dirname(folder.path)).toBe(parent);
  expect(tmpdir()).toBe(folder.path);
  expect(statSync(folder.path).mode & 0o777).toBe(0o755);
});

test('is removed with what is in it', () => {
  const folder = openRunFolder();
  writeFileSync(join(folder.path, 'left'), 'something');

  folder.remove();

  expect(existsSync(folder.path)).toBe(false);
});

test('keeps what failed tests left, alone, and says where', () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const folder = openRunFolder();
  mkdirSync(failuresFolder());
  writeFileSync(join(failuresFolder(), 'about.txt'), 'a report');
  writeFileSync(join(folder.path, 'left'), 'something');

  folder.remove();

  expect(readdirSync(folder.path)).toEqual(['failures']);
  expect(readdirSync(join(folder.path, 'failures'))).toEqual(['about.txt']);
  expect(log.mock.calls.join()).toContain(join(folder.path, 'failures'));
});

test.skipIf(!existsSync('/proc/self'))('removes what killed runs left, and nothing of a run that goes on', () => {
  const endedPid = spawnSync('true').pid;
  for (const name of [`kat-run-${endedPid}-abcdef`, `kat-run-${process.pid}-abcdef`, 'kat-data-1']) {
    mkdirSync(join(parent, name));
  }

  const folder = openRunFolder();

  expect(readdirSync(parent).toSorted()).toEqual(
    ['kat-data-1', `kat-run-${process.pid}-abcdef`, basename(folder.path)].toSorted(),
  );
});

test('is in memory only if code may run there, and both its files and the processes have room', () => {
  const room = { mount: 'rw,nosuid', folderBytes: 12 * GIB, memoryBytes: 20 * GIB };

  expect(hasRoom(room)).toBe(true);
  expect(hasRoom({ ...room, mount: 'rw,noexec' })).toBe(false);
  expect(hasRoom({ ...room, mount: null })).toBe(false);
  expect(hasRoom({ ...room, folderBytes: 64 * 1024 ** 2 })).toBe(false);
  expect(hasRoom({ ...room, memoryBytes: 4 * GIB })).toBe(false);
});
