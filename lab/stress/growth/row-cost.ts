/** The cost of a read by the number of stored rows, on PostgreSQL. */

import { openCandleStore } from '../../../server/market/candles/candle-store.ts';
import { type Database, OWNER } from '../../../server/platform/database/database.ts';
import { migrate } from '../../../server/platform/database/migrate.ts';
import { openDatabase } from '../../../server/platform/database/open-database.ts';
import { figureRoutes } from '../../../server/record/figures/figure-routes.ts';
import { figureStores, rollUp } from '../../../server/record/figures/record-figures.ts';
import { summarise } from '../../../server/record/figures/summarise.ts';
import { openReveal } from '../../../server/record/reveal.ts';
import { testLog } from '../../../tests/support/database/database.ts';
import { startThrowawayPostgres } from '../../../tests/support/database/throwaway-postgres.ts';
import { withChildrenMs } from '../../../tests/support/run/process-figures.ts';
import { CROWD_RECORDS_A_DAY, fillRecordCrowd } from '../../../tests/support/worlds/record-crowd.ts';
import { type Point, type RowSeries, rounded } from './series.ts';

/** The last minute before this is the newest stored one. */
const END_S = Date.parse('2026-11-16T00:00:00Z') / 1000;
const MINUTE_S = 60;
const SYMBOLS = 10;
const VENUE = 'binance';
const LOOKBACK = 450;
const WARM_UP = 20;
const clock = { nowMs: () => END_S * 1000 };

/** One database for each count. */
export async function measureRows(series: RowSeries): Promise<Point[]> {
  const points: Point[] = [];
  for (const count of series.counts) {
    const server = await startThrowawayPostgres();
    if ('skipped' in server) throw new Error(`there is no PostgreSQL: ${server.skipped}`);
    const place = { databaseUrl: server.url, dataDir: '', isDurable: false, clockOffsetMs: () => 0 };
    const database = await openDatabase({ ...place, log: testLog, poolSize: 2 });
    try {
      await migrate(database, { log: testLog });
      const { read, times } = await MEASURED[series.rows](database, count);
      points.push({ count, ...(await costOf(read, times, () => withChildrenMs(server.pid()))), residentMib: null });
    } finally {
      await database.close();
      await server.stop();
    }
  }
  return points;
}

interface Measured {
  read(): Promise<unknown>;
  times: number;
}

const MEASURED: Record<RowSeries['rows'], (database: Database, count: number) => Promise<Measured>> = {
  candles: candleReads,
  records: recordReads,
};

async function costOf(
  read: () => Promise<unknown>,
  times: number,
  databaseTotalMs: () => number,
): Promise<Pick<Point, 'serverMs' | 'databaseMs'>> {
  for (let i = 0; i < WARM_UP; i++) await read();
  const before = { own: process.cpuUsage(), databaseMs: databaseTotalMs() };
  for (let i = 0; i < times; i++) await read();
  const own = process.cpuUsage(before.own);
  return {
    serverMs: rounded((own.user + own.system) / 1000 / times),
    databaseMs: rounded((databaseTotalMs() - before.databaseMs) / times),
  };
}

/** Minutes up to the end, the same number for each symbol. */
async function candleReads(database: Database, count: number): Promise<Measured> {
  const minutes = Math.ceil(count / SYMBOLS);
  const fromS = END_S - minutes * MINUTE_S;
  await database.transaction(
    OWNER,
    async (tx) => {
      await tx.query('select private.make_candle_partitions($1::bigint, $2::bigint)', [fromS, END_S]);
      await tx.query(
        `insert into private.market_candles (venue, sym, time, open, high, low, close, volume)
         select $1::text, 'S' || s, $2::bigint + m * ${MINUTE_S}, 100, 101, 99, 100, 1
           from generate_series(1, ${SYMBOLS}) s, generate_series(0, $3::int - 1) m`,
        [VENUE, fromS, minutes],
      );
      await tx.query('analyze private.market_candles');
    },
    { statementLimitMs: 0 },
  );
  const store = openCandleStore({ database, clock, log: testLog });
  let symbol = 0;
  const read = async (): Promise<void> => {
    symbol = (symbol % SYMBOLS) + 1;
    const candles = await store.read(VENUE, `S${symbol}`, { fromS: 0, toS: END_S, count: LOOKBACK });
    if (candles.length !== LOOKBACK) throw new Error(`${candles.length} candles were read instead of ${LOOKBACK}`);
  };
  return { read, times: 300 };
}

/** The figures of a week and the newest cards, as the page requests them, by newly opened routes that cache nothing. */
async function recordReads(database: Database, count: number): Promise<Measured> {
  await fillRecordCrowd(database, { days: Math.round(count / CROWD_RECORDS_A_DAY), endS: END_S });
  const reveal = openReveal({ clock, marketClock: clock, kindOf: () => 'live' });
  const stores = figureStores(database, reveal);
  const { summaries } = stores;
  await rollUp(stores.blocks, new AbortController().signal);
  const question = {
    market: 'live',
    timeframe: '1min',
    period: '7d',
    nowMs: clock.nowMs(),
    marketNowMs: clock.nowMs(),
  } as const;
  await summaries.write(await summarise(stores, { ...question, isRunning: true }));
  const deps = {
    database,
    clock,
    log: testLog,
    reveal,
    siteDir: '/nowhere',
    marketKind: 'live',
    countDownload: async () => {},
  } as const;
  const read = async (): Promise<void> => {
    const routes = figureRoutes(deps);
    for (const path of ['/record/summary.json', '/record/records.json']) {
      const answer = await routes.request(path);
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  return { read, times: 100 };
}
