import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isWritable, requireDataDir } from './writable-folder.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'kat-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('accepts a folder that can be created', () => {
  expect(isWritable(join(parent, 'new/folder'))).toBe(true);
  expect(() => requireDataDir(join(parent, 'new/folder'))).not.toThrow();
});

test('refuses a folder that cannot be written, and names another way', () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const folder = join(file, 'data');

  expect(isWritable(folder)).toBe(false);
  expect(() => requireDataDir(folder)).toThrow(
    `The data folder ${folder} cannot be written by this user. Start with another folder: DATA_DIR=FOLDER npm start`,
  );
});

test('refuses a new data folder on a full disk', () => {
  expect(() => requireDataDir(join(parent, 'data'), () => 12)).toThrow(
    `A new data folder needs 150 MB, and the disk of ${join(parent, 'data')} has 12 MB left.`,
  );
  expect(() => requireDataDir(join(parent, 'data'), () => 151)).not.toThrow();
});

test('starts with the data that it has, however little space is left', () => {
  mkdirSync(join(parent, 'database'));
  writeFileSync(join(parent, 'database/PG_VERSION'), '18');

  expect(() => requireDataDir(parent, () => 12)).not.toThrow();
});
