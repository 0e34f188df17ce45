/** We vacuum PGlite: the folder does not grow from updates in place, and joins are planned with real row counts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { startVacuum } from '../../server/operations/vacuum-job.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../server/platform/database/pglite/pglite-database.ts';
import { pgliteTemplate, testLimits, testLog } from '../support/database/database.ts';

const never = new AbortController().signal;
const planSchema = z.array(z.object({ Plan: z.object({ 'Plan Rows': z.number() }) }));
let database: PgliteDatabase;
let dataDir: string;
const query = (text: string, params?: readonly unknown[]) => database.query(OWNER, text, params);
const bytesOf = async (table: string) =>
  Number((await query('select pg_table_size($1::text::regclass) as bytes', [table]))[0]?.bytes);

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'kat-data-'));
  database = await openPgliteDatabase({ ...testLimits(), dataDir, dumpFile: await pgliteTemplate() });
  await database.vacuum(never);
});
afterAll(async () => {
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('keeps a repeatedly updated table and its overflow below three times its size', async () => {
  await query('create table public.changing (n int primary key, document text)');
  await query('alter table public.changing alter column document set storage external');
  await query("insert into public.changing select n, repeat('x', 4000) from generate_series(1, 100) n");
  const filled = await bytesOf('public.changing');

  for (let round = 0; round < 5; round += 1) {
    await query('update public.changing set document = repeat(md5(n::text || $1::text), 125)', [String(round)]);
    await database.vacuum(never);
  }

  // One generation of dead rows, and the space they leave in partly filled pages.
  expect(await bytesOf('public.changing')).toBeLessThan(3 * filled);
});

test('gives the planner the real row count, without analyzing documents', async () => {
  await query('create table public.planned (n int primary key, kind text, document jsonb)');
  await query("insert into public.planned select n, 'one kind', '{}' from generate_series(1, 5000) n");
  const expected = async (): Promise<number> => {
    const [row] = await query("explain (format json) select from public.planned where kind = 'one kind'");
    return planSchema.parse(row?.['QUERY PLAN'])[0]?.Plan['Plan Rows'] ?? 0;
  };
  const before = await expected();

  expect(await database.vacuum(never)).toContain('public.planned');

  expect([before < 500, await expected()]).toEqual([true, 5000]);
  expect(await query("select attname from pg_stats where tablename = 'planned' order by 1")).toEqual([
    { attname: 'kind' },
    { attname: 'n' },
  ]);
});

test('ends with a checkpoint, so that the log before it can go', async () => {
  await query('create table public.logged (n int)');
  const [before] = await query('select pg_current_wal_lsn()::text as lsn');

  await database.vacuum(never);

  const reached = 'select redo_lsn >= $1::pg_lsn as is_reached from pg_control_checkpoint()';
  expect(await query(reached, [before?.lsn])).toEqual([{ is_reached: true }]);
});

test('skips a large table that has not grown by a fifth', async () => {
  await query('create table public.large (n int, text text)');
  await query('alter table public.large alter column text set storage plain');
  const fill = (rows: number) =>
    query("insert into public.large select n, repeat('x', 4000) from generate_series(1, $1::int) n", [rows]);
  const isVacuumed = async () => (await database.vacuum(never)).includes('public.large');

  await fill(2400);
  expect(await isVacuumed()).toBe(true);
  await fill(400);
  expect(await isVacuumed()).toBe(false);
  await fill(400);
  expect(await isVacuumed()).toBe(true);
});

test('stops before the next table when aborted', async () => {
  await query('create table public.waiting as select n from generate_series(1, 5000) n');
  expect(await database.vacuum(AbortSignal.abort())).toEqual([]);
  expect(await database.vacuum(never)).toContain('public.waiting');
});

test('runs as a job on PGlite, and not on a database whose server vacuums itself', async () => {
  await query('create table public.for_the_job as select n from generate_series(1, 5000) n');

  const job = startVacuum({ database, log: testLog });

  await expect
    .poll(() => query("select runs::int as runs, last_error as error from private.jobs where name = 'vacuum'"))
    .toEqual([{ runs: 1, error: null }]);
  await job?.close();
  expect(await query("select reltuples from pg_class where relname = 'for_the_job'")).toEqual([{ reltuples: 5000 }]);
  const { vacuum: _vacuum, ...served } = database;
  expect(startVacuum({ database: served, log: testLog })).toBeNull();
});
