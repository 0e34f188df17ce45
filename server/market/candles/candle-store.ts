/**
 * A job writes one statement per minute, venue and table, so no reader waits. Rows read back are validated. Products
 * beside the ten have their own table, because hundreds of them are watched at a time: its days are few and bounded.
 */
import * as z from 'zod/mini';
import { type Candle, candleSchema } from '#domain/market/candle.ts';
import { isSpecified } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { Core } from '../../core.ts';
import { asOwner, type Row } from '../../platform/database/database.ts';

export interface CandleStore {
  /** Queues closed candles; they are written within a minute. */
  add(venueId: string, sym: string, candles: readonly Candle[], timeframe?: Timeframe): void;
  /**
   * The newest `count` that open in `[fromS, toS)`, oldest first, without malformed rows and rows in the future.
   * @throws AppError `database/unavailable`, `database/busy`
   */
  read(venueId: string, sym: string, range: CandleRange): Promise<Candle[]>;
  /**
   * All candles that open in `[fromS, toS)`, by venue, oldest first, with the same exclusions as `read`.
   * @throws AppError `database/unavailable`, `database/busy`
   */
  readVenues(sym: string, fromS: number, toS: number, timeframe?: Timeframe): Promise<Map<string, Candle[]>>;
  /**
   * The stored candles of a symbol, of every timeframe, belong to another market: removes them within a minute and does
   * not return them before then.
   */
  forget(venueId: string, sym: string): void;
  state(): CandleStoreState;
  flush(): Promise<void>;
  /** Creates partitions for the coming weeks, so that each week starts with one. @returns how many were created */
  makePartitions(): Promise<number>;
  /** Drops partitions of weeks that ended over thirty days ago. @returns partitions dropped, rows deleted outside */
  removeOld(): Promise<{ partitions: number; rows: number }>;
  close(): Promise<void>;
}

/** The part of the store that a venue's history uses. */
export type CandleMemory = Pick<CandleStore, 'add' | 'read' | 'forget'>;

export interface CandleRange {
  fromS: number;
  toS: number;
  count: number;
  /** Absent: one minute. */
  timeframe?: Timeframe;
}

export interface CandleStoreState {
  waiting: number;
  /** Dropped because the database was unavailable for too long, or products had too many for one day. */
  dropped: number;
  /** Rows read back that failed validation. */
  malformed: number;
  failures: number;
}

export interface CandleStoreOptions extends Pick<Core, 'database' | 'clock' | 'log'> {
  flushMs?: number;
  /** Candles of products accepted a day. */
  maxProductRows?: number;
}

const FLUSH_MS = 60_000;
const DAY_S = 86_400;
/** Candles of the ten symbols older than this may be deleted. */
export const RETENTION_S = 30 * DAY_S;

interface CandleTable {
  name: string;
  /** The partition for rows of a time without one. */
  rest: string;
  makePartitions: string;
  dropPartitions: string;
  /** Older candles may be deleted. They are deleted by the partition, so the oldest may be that much older. */
  retentionS: number;
  /** After a shorter downtime, a server finds the partition of its first candle already created. */
  createdAheadS: number;
  /** Per venue. Above it the oldest are dropped. */
  maxWaiting: number;
}

/** Partitions of a week. At most half a day of the symbols waits. */
const SYMBOL_CANDLES: CandleTable = {
  name: 'private.market_candles',
  rest: 'private.market_candles_rest',
  makePartitions: 'private.make_candle_partitions',
  dropPartitions: 'private.drop_candle_partitions',
  retentionS: RETENTION_S,
  createdAheadS: 14 * DAY_S,
  maxWaiting: 8000,
};
/** Partitions of a day. An outcome of the longest bars is due after half a day. */
const PRODUCT_CANDLES: CandleTable = {
  name: 'private.product_candles',
  rest: 'private.product_candles_rest',
  makePartitions: 'private.make_product_candle_partitions',
  dropPartitions: 'private.drop_product_candle_partitions',
  retentionS: 2 * DAY_S,
  createdAheadS: 2 * DAY_S,
  maxWaiting: 30_000,
};
const TABLES = [SYMBOL_CANDLES, PRODUCT_CANDLES] as const;
/** 96 MB: a day of 300 products at one minute, and of 100 of them at longer bars too. */
const MAX_PRODUCT_ROWS = 600_000;

function tableOf(sym: string): CandleTable {
  return isSpecified(sym) ? SYMBOL_CANDLES : PRODUCT_CANDLES;
}
/** Rows per statement, about 250 KB; only the first minutes after a start have more. */
const MAX_ROWS = 2000;
const REMOVAL_BATCH = 20_000;

const rowSchema = z.pipe(
  z.pipe(
    z.object({
      time: z.number(),
      open: z.number(),
      high: z.number(),
      low: z.number(),
      close: z.number(),
      volume: z.nullable(z.number()),
    }),
    z.transform(({ volume, ...candle }) => (volume === null ? candle : { ...candle, volume })),
  ),
  candleSchema,
);

interface WaitingCandle {
  sym: string;
  timeframe: Timeframe;
  candle: Candle;
}

/** What one venue's rows of one table wait for: the next statement. */
interface Queue {
  venueId: string;
  table: CandleTable;
  /** By symbol, timeframe and opening: of two candles of a minute the last is written. */
  rows: Map<string, WaitingCandle>;
}

export function openCandleStore(options: CandleStoreOptions): CandleStore {
  const { clock, log, flushMs = FLUSH_MS, maxProductRows = MAX_PRODUCT_ROWS } = options;
  const queries = asOwner(options.database);
  const queues = new Map<string, Queue>();
  /** Candles of products accepted since this day began. */
  const accepted = { day: 0, rows: 0 };
  /** By venue: the symbols whose rows are deleted before anything is written. */
  const forgotten = new Map<string, Set<string>>();
  const counts = { dropped: 0, malformed: 0, failures: 0 };
  let writing: Promise<void> = Promise.resolve();

  function queueOf(venueId: string, table: CandleTable): Queue {
    const key = `${venueId} ${table.name}`;
    const known = queues.get(key);
    if (known !== undefined) return known;
    const queue = { venueId, table, rows: new Map<string, WaitingCandle>() };
    queues.set(key, queue);
    return queue;
  }

  function hold({ table, rows }: Queue, { sym, timeframe, candle }: WaitingCandle): void {
    if (table === PRODUCT_CANDLES && !isAccepted()) {
      counts.dropped += 1;
      return;
    }
    rows.set(`${sym} ${timeframe} ${candle.time}`, { sym, timeframe, candle });
    if (rows.size <= table.maxWaiting) return;
    const [oldest] = rows.keys();
    if (oldest !== undefined) rows.delete(oldest);
    counts.dropped += 1;
  }

  /** Any number of products can be watched in turn, so their rows are counted. */
  function isAccepted(): boolean {
    const day = Math.floor(clock.nowMs() / 1000 / DAY_S);
    if (accepted.day !== day) Object.assign(accepted, { day, rows: 0 });
    if (accepted.rows >= maxProductRows) return false;
    accepted.rows += 1;
    return true;
  }

  async function writeAll(): Promise<void> {
    for (const [venueId, syms] of forgotten) {
      for (const sym of syms) {
        await remove(tableOf(sym).name, 'c.venue = $1::text and c.sym = $2::text', [venueId, sym]);
        syms.delete(sym);
      }
    }
    for (const queue of queues.values()) {
      while (queue.rows.size > 0) {
        const batch = [...queue.rows].slice(0, MAX_ROWS);
        await write(
          queue,
          batch.map(([, row]) => row),
        );
        // A row replaced while the statement ran waits for the next one.
        for (const [key, row] of batch) if (queue.rows.get(key) === row) queue.rows.delete(key);
      }
    }
  }

  async function write({ venueId, table }: Queue, rows: readonly WaitingCandle[]): Promise<void> {
    const values = rows.map(({ sym, timeframe, candle: c }) => [
      ...[sym, c.time, c.open, c.high, c.low, c.close, c.volume ?? null, timeframe],
    ]);
    await queries.query(
      `insert into ${table.name} as known (venue, sym, time, open, high, low, close, volume, timeframe)
       select $1::text, r->>0, (r->>1)::bigint, (r->>2)::float8, (r->>3)::float8, (r->>4)::float8, (r->>5)::float8,
              (r->>6)::float8, r->>7
         from jsonb_array_elements($2::text::jsonb) r
       on conflict (venue, sym, timeframe, time) do update
         set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
             volume = excluded.volume
         where (known.open, known.high, known.low, known.close, known.volume)
           is distinct from (excluded.open, excluded.high, excluded.low, excluded.close, excluded.volume)`,
      [venueId, JSON.stringify(values)],
    );
  }

  function flush(): Promise<void> {
    writing = writing.then(writeAll).catch((error: unknown) => {
      // Rows that could not be written wait for the next minute; readers have them in memory.
      counts.failures += 1;
      log.warn({ err: error }, 'candles could not be stored');
    });
    return writing;
  }

  async function makePartitions(): Promise<number> {
    const nowS = Math.floor(clock.nowMs() / 1000);
    let created = 0;
    for (const table of TABLES) {
      const [row] = await queries.query<{ created: number }>(
        `select ${table.makePartitions}($1::bigint, $2::bigint) as created`,
        [nowS - table.retentionS, nowS + table.createdAheadS],
      );
      created += row?.created ?? 0;
    }
    return created;
  }

  async function removeOld(): Promise<{ partitions: number; rows: number }> {
    const removed = { partitions: 0, rows: 0 };
    for (const table of TABLES) {
      const beforeS = Math.floor(clock.nowMs() / 1000) - table.retentionS;
      const [row] = await queries.query<{ dropped: number }>(`select ${table.dropPartitions}($1::bigint) as dropped`, [
        beforeS,
      ]);
      removed.partitions += row?.dropped ?? 0;
      removed.rows += await remove(table.rest, 'c.time < $1::bigint', [beforeS]);
    }
    return removed;
  }

  /** Deletes in bounded statements. @param which  our own SQL condition on the rows `c` of `table` */
  async function remove(table: string, which: string, values: readonly unknown[]): Promise<number> {
    let removed = 0;
    for (let last = REMOVAL_BATCH; last === REMOVAL_BATCH; removed += last) {
      const rows = await queries.query<{ count: number }>(
        `with chosen as materialized (
           select venue, sym, timeframe, time from ${table} c where ${which} limit ${REMOVAL_BATCH}),
         gone as (
           delete from ${table} c using chosen
            where c.venue = chosen.venue and c.sym = chosen.sym and c.timeframe = chosen.timeframe
              and c.time = chosen.time returning 1)
         select count(*)::int as count from gone`,
        values,
      );
      last = rows[0]?.count ?? 0;
    }
    return removed;
  }

  function believed(rows: readonly Row[], timeframe: Timeframe): Candle[] {
    const closedBeforeS = clock.nowMs() / 1000 - barSecondsOf(timeframe);
    return rows.flatMap((row) => {
      const parsed = rowSchema.safeParse(row);
      if (parsed.success && parsed.data.time <= closedBeforeS) return [parsed.data];
      counts.malformed += 1;
      return [];
    });
  }

  const flushTimer = setInterval(() => void flush(), flushMs).unref();

  return {
    add(venueId, sym, candles, timeframe = DEFAULT_TIMEFRAME) {
      const queue = queueOf(venueId, tableOf(sym));
      for (const candle of candles) hold(queue, { sym, timeframe, candle });
    },
    forget(venueId, sym) {
      const syms = forgotten.get(venueId) ?? new Set();
      forgotten.set(venueId, syms.add(sym));
    },
    async read(venueId, sym, { fromS, toS, count, timeframe = DEFAULT_TIMEFRAME }) {
      if (forgotten.get(venueId)?.has(sym)) return [];
      const rows = await queries.query(
        `select time, open, high, low, close, volume from ${tableOf(sym).name}
          where venue = $1::text and sym = $2::text and timeframe = $6::text and time >= $3::bigint and time < $4::bigint
          order by time desc limit $5::int`,
        [venueId, sym, Math.max(0, fromS), toS, count, timeframe],
      );
      return believed(rows, timeframe).reverse();
    },
    async readVenues(sym, fromS, toS, timeframe = DEFAULT_TIMEFRAME) {
      const rows = await queries.query<{ venue: string }>(
        `select venue, time, open, high, low, close, volume from ${tableOf(sym).name}
          where sym = $1::text and timeframe = $4::text and time >= $2::bigint and time < $3::bigint
          order by venue, time`,
        [sym, Math.max(0, fromS), toS, timeframe],
      );
      const known = rows.filter(({ venue }) => !forgotten.get(venue)?.has(sym));
      return new Map(
        [...Map.groupBy(known, ({ venue }) => venue)].map(([venue, own]) => [venue, believed(own, timeframe)]),
      );
    },
    state: () => ({ ...counts, waiting: [...queues.values()].reduce((sum, { rows }) => sum + rows.size, 0) }),
    flush,
    makePartitions,
    removeOld,
    async close() {
      clearInterval(flushTimer);
      await flush();
    },
  };
}
