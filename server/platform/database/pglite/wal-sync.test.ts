import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSynced, recordSynced, requestedOf, requestSync, segmentOf, walProgress } from './wal-progress.ts';
import { walSync } from './wal-sync.ts';

const SEGMENT = '0000000100000000FFFFFFFE';
let logDir: string;
/** Syncs that were started, each with what ends it. */
let started: { end: (error?: Error) => void }[];

const sync = () =>
  new Promise<void>((resolve, reject) => {
    started.push({ end: (error) => (error === undefined ? resolve() : reject(error)) });
  });

beforeEach(() => {
  logDir = mkdtempSync(join(tmpdir(), 'kat-log-'));
  writeFileSync(join(logDir, SEGMENT), '');
  started = [];
});
afterEach(() => rmSync(logDir, { recursive: true }));

function open(onFailed: (error: unknown) => void = () => {}) {
  const progress = walProgress();
  return { progress, log: walSync({ progress, logDir, onFailed, sync }) };
}

test('waits for nothing when nothing was committed', async () => {
  const { log } = open();

  await log.settle();

  expect(started).toEqual([]);
});

test('covers every commit before its start with one sync, and later ones with the next', async () => {
  const { progress, log } = open();
  const settled: string[] = [];
  const commit = (name: string) => {
    requestSync(progress, SEGMENT);
    return log.settle().then(() => settled.push(name));
  };
  const first = commit('first');
  await expect.poll(() => started.length).toBe(1);
  const others = [commit('second'), commit('third'), commit('fourth')];

  started[0]?.end();
  await first;
  await expect.poll(() => started.length).toBe(2);
  const afterFirst = [...settled];
  started[1]?.end();
  await Promise.all(others);

  expect(afterFirst).toEqual(['first']);
  expect(settled).toEqual(['first', 'second', 'third', 'fourth']);
  expect(started).toHaveLength(2);
});

test('makes a reader wait for the commit whose row it may have seen', async () => {
  const { progress, log } = open();
  requestSync(progress, SEGMENT);
  let isAnswered = false;
  const reader = log.settle().then(() => {
    isAnswered = true;
  });

  await expect.poll(() => started.length).toBe(1);
  const before = isAnswered;
  started[0]?.end();
  await reader;

  expect([before, isAnswered]).toEqual([false, true]);
});

test('refuses every caller after a failed sync until the folder was reopened, and reports the failure once', async () => {
  const failures: unknown[] = [];
  const { progress, log } = open((error) => failures.push(error));
  requestSync(progress, SEGMENT);
  const refused = log.settle().catch(String);
  await expect.poll(() => started.length).toBe(1);
  started[0]?.end(new Error('EIO'));

  expect(await refused).toBe('Error: EIO');
  expect(await log.settle().catch(String)).toBe('Error: EIO');
  recordSynced(progress, requestedOf(progress));
  log.restart();
  await log.settle();

  expect(failures.map(String)).toEqual(['Error: EIO']);
});

test('goes on with the next segment when the last one was replaced after its sync', async () => {
  const { progress, log } = open();
  requestSync(progress, '000000010000000000000001');
  const settled = log.settle();
  // The other thread synced the first segment, then PostgreSQL renamed it and went on in the second.
  recordSynced(progress, requestedOf(progress));
  requestSync(progress, SEGMENT);

  await settled;

  expect(started).toEqual([]);
});

test('fails when the segment is missing', async () => {
  const { progress, log } = open();
  requestSync(progress, '000000010000000000000001');

  await expect(log.settle()).rejects.toThrow('ENOENT');
});

test('compares requests across the end of the numbers, and names segments as PostgreSQL does', () => {
  const progress = walProgress();
  progress.fill(0x7f_ff_ff_ff, 0, 2);
  requestSync(progress, SEGMENT);
  const request = requestedOf(progress);

  expect(segmentOf(progress)).toBe(SEGMENT);
  expect(isSynced(progress, request)).toBe(false);
  recordSynced(progress, request);
  recordSynced(progress, request - 1);
  expect(isSynced(progress, request)).toBe(true);
});
