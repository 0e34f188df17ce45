/**
 * A day of the public record scored from database to database: 3,456 records (four symbols, three models, every five
 * minutes), with their candles read from the store as after a downtime, on PGlite in a folder and on PostgreSQL, as one
 * JSON table. The same run also measures the arithmetic alone. On a busy machine only the ratio is meaningful.
 *
 *   npm run bench -- record [--slots 288] [--runs 3]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../../domain/errors/app-error.ts';
import { scoreRecord } from '../../../domain/record/scoring/score-record.ts';
import { openCandleStore } from '../../../server/market/candles/candle-store.ts';
import { candlePast } from '../../../server/market/candles/past-candles.ts';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { openScoring, type ScoringTotals } from '../../../server/record/scoring/score-records.ts';
import { scoreStore } from '../../../server/record/scoring/score-store.ts';
import {
  aBaselineTable,
  type GeneratedRecords,
  insertRecords,
  makeRecords,
  outcomeOf,
} from '../../../server/record/testing/record-fixtures.ts';
import { testLog } from '../../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';

const LIMIT_S = 10;
const TABLE = aBaselineTable();
const DAY_S = 86_400;
const never = new AbortController().signal;

const { values: options } = parseArgs({
  options: { slots: { type: 'string', default: '288' }, runs: { type: 'string', default: '3' } },
});

/** Each run scores a different day, in the same database. */
async function measure(database: Database) {
  await migrate(database, { log: testLog });
  const tookS: number[] = [];
  const arithmeticS: number[] = [];
  let after: { seq: number; hash: string } | null = null;
  let records = 0;
  for (let run = 0; run < Number(options.runs); run += 1) {
    const firstSlotS: number = Date.parse('2025-11-12T00:00:00Z') / 1000 + 2 * run * DAY_S;
    const batch: GeneratedRecords = makeRecords({
      slots: Number(options.slots),
      seed: `run ${run}`,
      firstSlotS,
      after,
    });
    await insertRecords(database, batch);
    const last = batch.bodies.at(-1);
    if (last === undefined) throw new Error('there are no records to score');
    after = { seq: last.seq, hash: batch.hashes.at(-1) ?? '' };
    const nowMs = (last.slot + 2 * 3600) * 1000;
    const past = await storedPast(database, batch, nowMs);

    const startedMs = performance.now();
    const totals = await scoreAll(database, past, nowMs);
    tookS.push((performance.now() - startedMs) / 1000);
    if (totals.known !== batch.bodies.length) throw new Error(`not all were scored: ${JSON.stringify(totals)}`);
    records = totals.known;

    const outcomes = batch.bodies.map((body) => ({ body, outcome: outcomeOf(batch, body) }));
    const aloneMs = performance.now();
    for (const { body, outcome } of outcomes) scoreRecord(body, outcome, TABLE);
    arithmeticS.push((performance.now() - aloneMs) / 1000);
  }
  const [{ bytes } = { bytes: 0 }] = await database.query<{ bytes: number }>(
    OWNER,
    'select avg(pg_column_size(s.*))::int as bytes from private.track_scores s',
  );
  const [median = Number.NaN] = tookS.toSorted((a, b) => a - b).slice(Math.floor(tookS.length / 2));
  return {
    database: database.kind,
    records,
    tookS: tookS.map(round),
    msPerRecord: round((median / records) * 1000),
    isWithinLimit: median < LIMIT_S,
    arithmeticAloneS: round(Math.min(...arithmeticS)),
    bytesPerScore: bytes,
  };
}

async function scoreAll(
  database: Database,
  past: ReturnType<typeof candlePast>,
  nowMs: number,
): Promise<ScoringTotals> {
  const clock = { nowMs: () => nowMs };
  const tableOf = () => TABLE;
  const deps = { past, kindOf: () => 'live' as const, clock, marketClock: clock, tableOf, log: testLog };
  return openScoring(scoreStore(database), deps).scoreDue(never);
}

/** No venue answers: all candles come from the store. */
async function storedPast(database: Database, batch: GeneratedRecords, nowMs: number) {
  const store = openCandleStore({ database, clock: { nowMs: () => nowMs }, log: testLog });
  for (const [sym, candles] of batch.candles) {
    store.add('bench', sym, candles);
    await store.flush();
  }
  await store.close();
  const latest = () => Promise.reject(new AppError('venue/unavailable'));
  return candlePast({ history: { latest, close: async () => undefined }, store });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

async function onPglite() {
  const dataDir = mkdtempSync(join(tmpdir(), 'kat-bench-scoring-'));
  const database = await openDatabase({
    databaseUrl: null,
    dataDir,
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
  });
  try {
    return await measure(database);
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function onPostgres() {
  const server = await startThrowawayPostgres();
  if ('skipped' in server) return { database: 'postgres', skipped: server.skipped };
  const database = await openDatabase({
    databaseUrl: server.url,
    dataDir: '',
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
  });
  try {
    return await measure(database);
  } finally {
    await database.close();
    await server.stop();
  }
}

const lines = [await onPostgres(), await onPglite()];
console.log(JSON.stringify({ limitS: LIMIT_S, loadOfMachine: loadavg().map(round), lines }, null, 2));
process.exit(0);
