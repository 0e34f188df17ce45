/**
 * The public record's page on a year of records (1.26 million, generated, on PostgreSQL), as one JSON table: the time
 * for its first data over HTTP, each call alternating with a one-row call, so that other load on the machine affects
 * both; and the time to update the figures by a day, and to compute them all from nothing.
 *
 *   npm run bench -- track-record [--days 365] [--runs 15] [--database URL]
 *
 * With --database the record is written there, unless it exists, and stays.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { TRACK_PERIODS, type TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { blockStore } from '../../server/record/figures/block-store.ts';
import { figureRoutes } from '../../server/record/figures/figure-routes.ts';
import { rollUp } from '../../server/record/figures/record-figures.ts';
import { summarise } from '../../server/record/figures/summarise.ts';
import { summaryStore } from '../../server/record/figures/summary-store.ts';
import { openReveal } from '../../server/record/reveal.ts';
import { testLog } from '../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { CROWD_RECORDS_A_DAY, fillRecordCrowd, RECORD_CROWD_TABLES } from '../../tests/support/worlds/record-crowd.ts';
import { connections, percentile, round, send } from './rest-places.ts';

const LIMIT_MS = 1000;
const WARM_UP = 2;
const DAY_S = 86_400;
const never = new AbortController().signal;

const { values: options } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    runs: { type: 'string', default: '15' },
    database: { type: 'string' },
  },
});
const days = Number(options.days);
const runs = Number(options.runs);
/** A Monday: the end of the generated year. */
const END_S = Date.parse('2026-11-16T00:00:00Z') / 1000;
const clock = { nowMs: () => END_S * 1000 };
const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'live' });

async function timed<T>(work: () => Promise<T>): Promise<{ tookMs: number; longestPauseMs: number; result: T }> {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const startedMs = performance.now();
  const result = await work();
  const tookMs = performance.now() - startedMs;
  delays.disable();
  return { tookMs: round(tookMs), longestPauseMs: round(delays.max / 1e6), result };
}

async function fill(database: Database): Promise<number | null> {
  const [there] = await database.query<{ seq: number }>(
    OWNER,
    'select coalesce(max(seq), 0) as seq from private.track_records',
  );
  const tookS = (there?.seq ?? 0) > 0 ? null : await fillRecordCrowd(database, { days, endS: END_S });
  for (const table of RECORD_CROWD_TABLES) await database.query(OWNER, `analyze ${table}`);
  return tookS;
}

/** Blocks from nothing, then the last day's alone, then each period's answer. */
async function measureFigures(database: Database) {
  const blocks = blockStore(database);
  const summaries = summaryStore(database, reveal);
  await database.query(OWNER, 'delete from private.track_blocks');
  const year = await timed(() => rollUp(blocks, never));
  await database.query(OWNER, 'delete from private.track_blocks where block_s >= $1::bigint', [END_S - DAY_S]);
  const day = await timed(() => rollUp(blocks, never));
  const quiet = await timed(() => rollUp(blocks, never));
  const answers = [];
  for (const period of Object.keys(TRACK_PERIODS) as TrackPeriod[]) {
    const question = {
      market: 'live',
      timeframe: '1min',
      period,
      nowMs: clock.nowMs(),
      marketNowMs: clock.nowMs(),
      isRunning: true,
    } as const;
    const { result, ...took } = await timed(() => summarise({ blocks, summaries }, question));
    await summaries.write(result);
    answers.push({ period, ...took, bytes: JSON.stringify(result).length, scored: result.counts.known });
  }
  const of = ({ result, ...took }: typeof year) => ({ ...took, blocks: result.blocks });
  return { rebuildOfAll: of(year), rollUpOfADay: of(day), roundWithNothingNew: of(quiet), answers };
}

interface Line {
  call: string;
  path: string;
  /** A file to download: the page does not wait for it. */
  isDownload?: boolean;
}

function lines(): Line[] {
  const middle = Math.floor((days * CROWD_RECORDS_A_DAY) / 2);
  const day = new Date((END_S - 2 * DAY_S) * 1000).toISOString().slice(0, 10);
  return [
    { call: 'figures of 7 days', path: '/record/summary.json' },
    { call: 'figures of a year', path: '/record/summary.json?period=365d' },
    { call: 'newest cards', path: '/record/records.json' },
    { call: 'newest revealed cards', path: '/record/records.json?sealed=none' },
    { call: 'sealed cards', path: '/record/records.json?sealed=only&limit=100' },
    {
      call: 'a hundred cards of one model and symbol',
      path: '/record/records.json?limit=100&sym=BTCUSDT.P&model=lion',
    },
    { call: 'cards of half a year ago', path: `/record/records.json?before=${middle}` },
    { call: 'rows of a day (CSV)', path: `/record/days/${day}.csv`, isDownload: true },
  ];
}

async function measureCalls(database: Database) {
  const routes = () =>
    figureRoutes({
      database,
      clock,
      log: testLog,
      marketKind: 'live',
      siteDir: '/nowhere',
      countDownload: async () => {},
      reveal,
    });
  const oneRow = new Hono().get('/one', async (c) => c.json(await database.query(OWNER, 'select 1 as one')));
  // Every call uses newly opened routes, so that nothing is cached from an earlier one.
  const http = createServer((request, response) => {
    const app = request.url === '/one' ? oneRow : routes();
    void getRequestListener(app.fetch)(request, response);
  });
  await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const agent = connections(1);
  const headers = { 'accept-encoding': 'gzip' };
  const measured = [];
  for (const { call, path, isDownload = false } of lines()) {
    const tookMs: number[] = [];
    const oneRowMs: number[] = [];
    const firstMs = await send(agent, { url: url + path, headers });
    for (let run = -WARM_UP; run < runs; run += 1) {
      const [ms, baseMs] = [await send(agent, { url: url + path, headers }), await send(agent, { url: `${url}/one` })];
      if (run < 0) continue;
      tookMs.push(ms);
      oneRowMs.push(baseMs);
    }
    const [medianMs, p95Ms] = [percentile(tookMs, 0.5), percentile(tookMs, 0.95)];
    const isWithinLimit = isDownload ? null : Math.max(firstMs, p95Ms) < LIMIT_MS;
    measured.push({
      call,
      firstMs: round(firstMs),
      medianMs,
      p95Ms,
      oneRowMs: percentile(oneRowMs, 0.5),
      isWithinLimit,
    });
  }
  agent.destroy();
  http.close();
  return measured;
}

async function sizes(database: Database) {
  const [row] = await database.query(
    OWNER,
    `select (select count(*) from private.track_records)::int as records, (select count(*) from private.track_blocks)::int as blocks,
            pg_size_pretty(pg_total_relation_size('private.track_records')) as "recordsOnDisk",
            pg_size_pretty(pg_total_relation_size('private.track_scores')) as "scoresOnDisk",
            pg_size_pretty(pg_total_relation_size('private.track_blocks')) as "blocksOnDisk"`,
  );
  return row;
}

async function measureOn(url: string) {
  const database = await openDatabase({
    databaseUrl: url,
    dataDir: '',
    isDurable: false,
    clockOffsetMs: () => 0,
    log: testLog,
    poolSize: 4,
  });
  try {
    await migrate(database, { log: testLog });
    const filledS = await fill(database);
    const loadBefore = loadavg().map(round);
    const figures = await measureFigures(database);
    const calls = await measureCalls(database);
    const loadOfMachine = { before: loadBefore, after: loadavg().map(round) };
    return { ...(await sizes(database)), filledS, limitMs: LIMIT_MS, loadOfMachine, ...figures, calls };
  } finally {
    await database.close();
  }
}

if (options.database !== undefined) console.log(JSON.stringify(await measureOn(options.database), null, 2));
else {
  const server = await startThrowawayPostgres();
  if ('skipped' in server) throw new Error(`there is no PostgreSQL: ${server.skipped}`);
  try {
    console.log(JSON.stringify(await measureOn(server.url), null, 2));
  } finally {
    await server.stop();
  }
}
process.exit(0);
