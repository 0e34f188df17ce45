/**
 * The licensed source of gold, oil and dollar index. It lags behind the market, measured from the end of its data, and
 * streams nothing: symbols with readers are requested once a minute.
 */
import { Buffer } from 'node:buffer';
import { setTimeout as pause } from 'node:timers/promises';
import { isAppError } from '#domain/errors/app-error.ts';
import { lastOpenMinute, nextOpen } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import {
  DATABENTO_SCHEMA,
  type DatabentoProduct,
  databentoProductOf,
  databentoTime,
  parseDatabentoBars,
  parseDatabentoEnd,
} from '#domain/market/codecs/databento-bars.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { collectStretches, malformedCounter, notTradedHere } from './transport/rest-paging.ts';
import { venueRequests } from './transport/venue-requests.ts';
import type { CandleUpdate, Venue, VenueOptions } from './venue.ts';

export interface DatabentoOptions extends Omit<VenueOptions, 'wsUrl' | 'socketTiming'> {
  key: string;
  checkMs?: number;
}

/** Assumed until the service has reported the end of its data, and while the market is closed. */
const ASSUMED_LAG_MS = 900_000;
const MINUTE_MS = 60_000;
const CALL_DAYS = 30;
const HISTORY_DAYS = 90;

/** @param options  `restUrl` without a path: `https://hist.databento.com` */
export function databentoVenue(options: DatabentoOptions): Venue {
  const id = 'databento';
  const { restUrl, key, clock, log, fetch, timeoutMs, checkMs } = options;
  const symbols = options.symbols.filter((symbol) => databentoProductOf(symbol) !== null);
  const headers = { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` };
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs, headers });
  const malformed = malformedCounter(id, log);
  /** By dataset; the largest lag is the venue's. */
  const lagsMs = new Map<string, number>();

  const readers = pollingReaders();

  const lagMs = (): number => (lagsMs.size === 0 ? ASSUMED_LAG_MS : Math.max(...lagsMs.values()));
  const nowMs = (): number => clock.nowMs() - lagMs();

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function load(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    const product = databentoProductOf(symbol);
    if (product === null) throw notTradedHere();
    const range = await requests.getJson('/v0/metadata.get_dataset_range', { dataset: product.dataset }, signal);
    const endMs = parseDatabentoEnd(range);
    lagsMs.set(product.dataset, lagOf(symbol, endMs, clock.nowMs()));
    return collectStretches({
      hours: symbol.hours,
      count,
      asOfMs: Math.min(endMs, nowMs()),
      callDays: CALL_DAYS,
      historyDays: HISTORY_DAYS,
      malformed,
      fetchRange: (fromS, toS) =>
        requests.get('/v0/timeseries.get_range', rangeQuery(product, fromS, toS), signal, parseDatabentoBars),
    });
  }

  return {
    id,
    attribution: 'CME and ICE via Databento',
    // Whole minutes: more precision would only change with every call.
    get delayS() {
      return Math.max(0, Math.ceil(lagMs() / MINUTE_MS) * 60);
    },
    supports,
    async candles(symbol, count, signal) {
      const candles = await load(symbol, count, signal);
      readers.record(symbol, candles);
      return candles;
    },
    updates(wanted, signal) {
      const polled = { venue: id, symbols: wanted.filter(supports), isWanted: readers.isWanted, nowMs, candles: load };
      return polledUpdates({ ...polled, log, checkMs }, signal);
    },
    nowMs,
    get malformed() {
      return malformed.count;
    },
  };
}

/** Closed hours do not count: over a weekend the end does not move, and Monday would come on Wednesday. */
function lagOf({ hours }: MarketSymbol, endMs: number, nowMs: number): number {
  const missingFromMs = nextOpen(hours, endMs / 1000) * 1000;
  if (missingFromMs >= nowMs) return ASSUMED_LAG_MS;
  const lagMs = nowMs - missingFromMs;
  // Only the running minute is missing.
  return lagMs < MINUTE_MS ? 0 : lagMs;
}

/** The end is exclusive. */
function rangeQuery({ dataset, symbol }: DatabentoProduct, fromS: number, toS: number) {
  const span = { start: databentoTime(fromS), end: databentoTime(toS) };
  return { dataset, schema: DATABENTO_SCHEMA, symbols: symbol, stype_in: 'continuous', encoding: 'json', ...span };
}

export interface PollingOptions {
  venue: string;
  symbols: readonly MarketSymbol[];
  /** False for a symbol not requested lately, or a minute that a reader has already fetched: no call is made. */
  isWanted(symbol: MarketSymbol, minuteS: number): boolean;
  /** The market's own time, milliseconds. */
  nowMs(): number;
  candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]>;
  log: Logger;
  /** Interval between clock checks; a test may change it. */
  checkMs?: number | undefined;
}

const CHECK_MS = 1000;
/** A minute's candle may come this late. */
const SETTLE_MS = 3000;
/** After an outage at most this many are caught up on; history has the others. */
const MAX_CAUGHT_UP = 10;

/** A symbol stays wanted this long after a read. A regular reader then fetches, which makes it wanted again. */
const WANTED_MS = 300_000;

export interface Readers {
  /** Records candles that a reader fetched. */
  record(symbol: MarketSymbol, candles: readonly Candle[]): void;
  isWanted(symbol: MarketSymbol, minuteS: number): boolean;
}

/** @param monotonicMs  a test passes its own */
export function pollingReaders(monotonicMs: () => number = () => performance.now()): Readers {
  const reads = new Map<string, { newestS: number; atMs: number }>();
  return {
    record({ sym }, candles) {
      const newestS = Math.max(reads.get(sym)?.newestS ?? 0, candles.at(-1)?.time ?? 0);
      reads.set(sym, { newestS, atMs: monotonicMs() });
    },
    isWanted({ sym }, minuteS) {
      const last = reads.get(sym);
      return last !== undefined && monotonicMs() - last.atMs < WANTED_MS && last.newestS < minuteS;
    },
  };
}

/** Yields until `signal` aborts; ends immediately without symbols. */
export async function* polledUpdates(options: PollingOptions, signal: AbortSignal): AsyncGenerator<CandleUpdate, void> {
  const { venue, symbols, isWanted, nowMs, candles, log, checkMs = CHECK_MS } = options;
  const requestedS = new Map<string, number>();
  const publishedS = new Map<string, number>();

  /** Closed candles not published yet; empty when the newest minute was already requested. */
  async function newCandles(symbol: MarketSymbol): Promise<Candle[]> {
    const dueS = lastOpenMinute(symbol.hours, (nowMs() - SETTLE_MS) / 1000 - MINUTE_S);
    if (dueS === requestedS.get(symbol.sym) || !isWanted(symbol, dueS)) return [];
    requestedS.set(symbol.sym, dueS);
    const lastS = publishedS.get(symbol.sym);
    const missed = lastS === undefined ? 1 : Math.round((dueS - lastS) / MINUTE_S);
    const count = Math.min(MAX_CAUGHT_UP, Math.max(1, missed)) + 1;
    const found = (await candles(symbol, count, signal)).filter((candle) => candle.time > (lastS ?? 0));
    publishedS.set(symbol.sym, found.at(-1)?.time ?? lastS ?? 0);
    return found;
  }

  while (symbols.length > 0 && !signal.aborted) {
    for (const symbol of symbols) {
      try {
        for (const candle of await newCandles(symbol)) yield { symbol, candle, isClosed: true };
      } catch (error) {
        if (signal.aborted) return;
        if (!isAppError(error)) throw error;
        log.debug({ venue, sym: symbol.sym, reason: error.details.reason }, 'no answer to this minute');
      }
    }
    // An abort ends the pause; that is not an error.
    await pause(checkMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
