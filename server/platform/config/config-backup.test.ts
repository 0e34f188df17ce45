import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test('schedules no backup without BACKUP_DIR, and keeps seven by default with it', () => {
  expect(readConfig({}).backups).toBeNull();
  expect(readConfig({ BACKUP_DIR: 'kept' }).backups).toEqual({ dir: resolve('kept'), retained: 7 });
  expect(readConfig({ BACKUP_DIR: '/kept', BACKUP_KEEP: '2' }).backups).toEqual({ dir: '/kept', retained: 2 });
});

test.each([
  ['within the data folder', { DATA_DIR: '/data', BACKUP_DIR: '/data/kept' }, 'must be outside DATA_DIR'],
  ['as the data folder', { DATA_DIR: '/data', BACKUP_DIR: '/data' }, 'must be outside DATA_DIR'],
  ['with none to keep', { BACKUP_DIR: '/kept', BACKUP_KEEP: '0' }, 'BACKUP_KEEP'],
])('refuses a folder %s', (_what, env, message) => {
  expect(() => readConfig(env)).toThrow(message);
});
