/**
 * What durability costs a write: the embedded database with and without it, in turns within one run, at 1, 8 and 32
 * writers, as one JSON table, and a checkpoint with and without it. Every write is one short transaction, as the product makes them.
 */
import fs, { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WRITERS = [1, 8, 32];
const ROUNDS = 15;
const WRITES = 500;
const WARM_UP = 300;
/** Beside 32 writers, one reader at a time. */
const READ_PAUSE_MS = 2;

/** Of the log, by the main thread. The database thread's own syncs, when it changes other files, are not counted. */
let syncs = 0;
const { fdatasync } = fs;
fs.fdatasync = ((file, done) => {
  syncs += 1;
  fdatasync(file, done);
}) as typeof fdatasync;
syncBuiltinESMExports();
// Imported after the change above, which these modules then see.
const { OWNER } = await import('../../../server/platform/database/database.ts');
const { openPgliteDatabase } = await import('../../../server/platform/database/pglite/pglite-database.ts');
const { pgliteTemplate, testLimits } = await import('../../../tests/support/database/database.ts');
type PgliteDatabase = Awaited<ReturnType<typeof openPgliteDatabase>>;

interface Round {
  perWriteMs: number;
  cpuMs: number;
  syncs: number;
  writesMs: number[];
  readsMs: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'kat-bench-durable-'));
try {
  const off = await openIn('off', false);
  const on = await openIn('on', true);
  const lines = [];
  for (const writers of WRITERS) {
    const rounds: { off: Round; on: Round }[] = [];
    for (const database of [off, on]) await measure(database, writers, WARM_UP);
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push({ off: await measure(off, writers, WRITES), on: await measure(on, writers, WRITES) });
    lines.push(toLine(writers, rounds));
  }
  const checkpointMs = { off: await checkpoint(off), on: await checkpoint(on) };
  console.log(JSON.stringify({ lines, checkpointMs }, null, 2));
  await off.close();
  await on.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function openIn(name: string, isDurable: boolean): Promise<PgliteDatabase> {
  const dataDir = join(folder, name);
  const database = await openPgliteDatabase({ ...testLimits(), dataDir, isDurable, dumpFile: await pgliteTemplate() });
  await database.transaction(OWNER, (tx) =>
    tx.query('create table public.journal (n bigint generated always as identity primary key, payload text)'),
  );
  return database;
}

/** Blocks every caller. Of everything that the writes above changed. */
async function checkpoint(database: PgliteDatabase): Promise<number> {
  const startedMs = performance.now();
  await database.query(OWNER, 'checkpoint');
  return rounded(performance.now() - startedMs);
}

async function measure(database: PgliteDatabase, writers: number, count: number): Promise<Round> {
  const writesMs: number[] = [];
  const readsMs: number[] = [];
  let next = 0;
  let isOver = false;
  const timed = async (tookMs: number[], work: () => Promise<unknown>) => {
    const startedMs = performance.now();
    await work();
    tookMs.push(performance.now() - startedMs);
  };
  const writer = async () => {
    while (next < count) {
      next += 1;
      await timed(writesMs, () =>
        database.query(OWNER, 'insert into public.journal (payload) values ($1)', ['x'.repeat(200)]),
      );
    }
  };
  const reader = async () => {
    while (!isOver) {
      await timed(readsMs, () => database.query(OWNER, 'select payload from public.journal where n = 1'));
      await new Promise((wake) => setTimeout(wake, READ_PAUSE_MS));
    }
  };
  const before = syncs;
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  const reading = reader();
  await Promise.all(Array.from({ length: writers }, writer));
  const totalMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  isOver = true;
  await reading;
  return {
    perWriteMs: totalMs / count,
    cpuMs: (user + system) / 1000 / count,
    syncs: (syncs - before) / count,
    writesMs,
    readsMs,
  };
}

function toLine(writers: number, rounds: { off: Round; on: Round }[]) {
  const of = (name: 'off' | 'on') => {
    const all = rounds.map((round) => round[name]);
    const writesMs = all.flatMap((round) => round.writesMs);
    const readsMs = all.flatMap((round) => round.readsMs);
    return {
      writesPerS: Math.round(1000 / median(all.map((round) => round.perWriteMs))),
      cpuMsPerWrite: rounded(median(all.map((round) => round.cpuMs))),
      syncsPerWrite: rounded(median(all.map((round) => round.syncs))),
      p50Ms: rounded(at(writesMs, 0.5)),
      p99Ms: rounded(at(writesMs, 0.99)),
      readP50Ms: rounded(at(readsMs, 0.5)),
      readP99Ms: rounded(at(readsMs, 0.99)),
    };
  };
  const ratios = rounds.map(({ off, on }) => on.perWriteMs / off.perWriteMs).sort((a, b) => a - b);
  return {
    writers,
    off: of('off'),
    on: of('on'),
    ratio: rounded(median(ratios)),
    ratioRange: [rounded(ratios[0] ?? Number.NaN), rounded(ratios.at(-1) ?? Number.NaN)],
  };
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return at(values, 0.5);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
