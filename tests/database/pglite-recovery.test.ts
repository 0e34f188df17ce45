/** PGlite's thread hangs, dies or is closed: waiting callers get an error, and no acknowledged row is lost. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isAppError } from '../../domain/errors/app-error.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { DataFolderInUse } from '../../server/platform/database/pglite/data-lock.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { pgliteTemplate, testLimits } from '../support/database/database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const USUAL_LIMIT_MS = 5000;
const SHORT_LIMIT_MS = 400;
/** Runs for minutes, under a limit that PGlite ignores. */
const ENDLESS = 'select count(*) from generate_series(1, 100000000000)';

describe('PGlite in a folder', () => {
  let dataDir: string;
  let database: PgliteDatabase;
  let logged: string[];
  const log = createLogger('warn', { write: (line: string) => void logged.push(line) });
  let limitMs = USUAL_LIMIT_MS;
  const open = async () =>
    openPgliteDatabase({
      ...testLimits({ statementLimitMs: limitMs }),
      log,
      dataDir,
      dumpFile: await pgliteTemplate(),
    });
  const reopen = async (statementLimitMs: number) => {
    await database.close();
    limitMs = statementLimitMs;
    database = await open();
  };

  beforeAll(async () => {
    logged = [];
    dataDir = mkdtempSync(join(tmpdir(), 'kat-data-'));
    database = await open();
    await database.transaction(OWNER, (tx) => tx.query('create table public.journal (n int primary key)'));
  });
  // One folder for all: opening it again takes half as long as a new one.
  beforeEach(async () => {
    if (limitMs !== USUAL_LIMIT_MS) await reopen(USUAL_LIMIT_MS);
    await database.query(OWNER, 'delete from public.journal');
    logged = [];
  });
  afterAll(async () => {
    await database?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('ends and logs a statement past its limit, refuses those behind it, and recovers', async () => {
    await reopen(SHORT_LIMIT_MS);
    const startedMs = performance.now();
    const endless = codeOf(database.query(OWNER, `${ENDLESS}\n where $1::text <> ''`, ['a secret']));
    const waiting = Array.from({ length: 5 }, () => codeOf(database.query(OWNER, 'select 1')));

    const codes = await Promise.all([endless, ...waiting]);
    const tookMs = performance.now() - startedMs;
    const after = await database.query(OWNER, 'select 1 as one');

    expect(codes).toEqual(['database/busy', ...Array(5).fill('database/unavailable')]);
    expect(tookMs).toBeLessThan(20_000);
    expect(after).toEqual([{ one: 1 }]);
    const [line] = logged.filter((one) => one.includes('passed its time limit'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      limitMs: SHORT_LIMIT_MS,
      statement: `${ENDLESS} where $1::text <> ''`,
    });
    expect(logged.join()).not.toContain('a secret');
  });

  test('ends a statement within a transaction too, and rolls its writes back', async () => {
    await reopen(SHORT_LIMIT_MS);
    const work = database.transaction(OWNER, async (tx) => {
      await tx.query('insert into public.journal values (1)');
      await tx.query(ENDLESS);
    });

    expect(await codeOf(work)).toBe('database/busy');
    expect(await database.query(OWNER, 'select n from public.journal')).toEqual([]);
  });

  test('loses no acknowledged row when the thread dies repeatedly under six writers', async () => {
    const acknowledged: number[] = [];
    const refusals = new Set<string>();
    let next = 0;
    let isOver = false;
    const writer = async () => {
      while (!isOver) {
        const n = next;
        next += 1;
        const code = await codeOf(database.query(OWNER, 'insert into public.journal values ($1)', [n]));
        if (code === 'none') acknowledged.push(n);
        else refusals.add(code);
      }
    };
    const writers = Array.from({ length: 6 }, writer);

    const rounds = sampleSize(2, 4);
    for (let round = 0; round < rounds; round += 1) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length - before).toBeGreaterThan(50);
      await database.crash();
    }
    isOver = true;
    await Promise.all(writers);

    const rows = await database.query<{ n: number }>(OWNER, 'select n from public.journal');
    const stored = new Set(rows.map((row) => row.n));
    expect(acknowledged.length).toBeGreaterThan(50 * rounds);
    expect(acknowledged.filter((n) => !stored.has(n))).toEqual([]);
    expect([...refusals]).toEqual(['database/unavailable']);
  });

  test('notifies a listener of the gap after a restart of the thread, and of later events', async () => {
    const received: string[] = [];
    await database.listen('test_channel', (payload) => received.push(payload));
    await database.crash();

    await database.query(OWNER, "select pg_notify('test_channel', 'after')");

    await expect.poll(() => received).toEqual(['', 'after']);
  });

  test('finishes pending work before it closes, and has all of it after the next start', async () => {
    const writes = Array.from({ length: 40 }, (_, n) =>
      codeOf(database.query(OWNER, 'insert into public.journal values ($1)', [n])),
    );
    await sleep(5);
    await database.close();
    const codes = await Promise.all(writes);
    database = await open();

    const [row] = await database.query(OWNER, 'select count(*) as n from public.journal');

    expect(codes.filter((code) => code !== 'none')).toEqual([]);
    expect(row).toEqual({ n: 40 });
  });

  test('refuses a second database on the same folder, and leaves nothing behind when it closes', async () => {
    await expect(open()).rejects.toThrow(DataFolderInUse);

    expect(await database.query(OWNER, 'select 1 as one')).toEqual([{ one: 1 }]);
    // After closing, nothing is left in the temporary folder, and no lock in the data folder.
    const { socketDir } = JSON.parse(readFileSync(join(dataDir, 'database.lock'), 'utf8'));
    const existedBefore = existsSync(socketDir);
    await database.close();
    const isLeft = [socketDir, join(dataDir, 'database.lock')].map((path) => existsSync(path));
    database = await open();

    expect(existedBefore).toBe(true);
    expect(isLeft).toEqual([false, false]);
  });
});

test.each([
  { isDurable: false, fsync: 'off' },
  { isDurable: true, fsync: 'on' },
])('starts PostgreSQL with a cache of 32 MB, and fsync $fsync', async ({ isDurable, fsync }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-data-'));
  const database = await openPgliteDatabase({
    ...testLimits(),
    dataDir,
    isDurable,
    dumpFile: await pgliteTemplate(),
  });
  try {
    const settings = `select current_setting('shared_buffers') as cache, current_setting('fsync') as fsync`;

    expect(await database.query(OWNER, settings)).toEqual([{ cache: '32MB', fsync }]);
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
}
