import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  hasDatabase,
  makeSynced,
  markFinished,
  markUnfinished,
  noteUnsynced,
  removeUnfinished,
} from './synced-folder.ts';

let dataDir: string;
let folder: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-synced-'));
  folder = join(dataDir, 'database');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

function create(): void {
  mkdirSync(join(folder, 'base/5'), { recursive: true });
  writeFileSync(join(folder, 'PG_VERSION'), '18');
  writeFileSync(join(folder, 'base/5/1249'), 'rows');
}

test('deletes a folder whose creation was cut off, and nothing after that', async () => {
  await markUnfinished(folder);
  create();

  removeUnfinished(folder);
  const afterFirst = hasDatabase(folder);
  create();
  removeUnfinished(folder);

  expect([afterFirst, hasDatabase(folder)]).toEqual([false, true]);
});

test('leaves a finished folder as it is', async () => {
  await markUnfinished(folder);
  create();
  await markFinished(folder);

  removeUnfinished(folder);

  expect(existsSync(join(folder, 'base/5/1249'))).toBe(true);
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
});

test('remembers a synced folder until a start that does not sync, and not for a copy', async () => {
  const marker = `${folder}.synced`;
  create();
  await makeSynced(folder);
  const own = readFileSync(marker, 'utf8');

  const copy = join(dataDir, 'copy');
  cpSync(folder, copy, { recursive: true });
  cpSync(marker, `${copy}.synced`);
  await makeSynced(copy);
  noteUnsynced(folder);

  expect(readFileSync(`${copy}.synced`, 'utf8')).not.toBe(own);
  expect(existsSync(marker)).toBe(false);
});
