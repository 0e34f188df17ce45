/**
 * The licensed source of gold, oil and dollar index. It lags behind the market, measured from the end of its data, and
 * streams nothing: symbols with readers are requested once a minute. It has no bars of 5 and 15 minutes, so these are
 * added up from whole minutes.
 */
import { Buffer } from 'node:buffer';
import { aggregateCandles } from '#domain/market/bars.ts';
import { nextOpen } from '#domain/market/calendar/trading-hours.ts';
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
import { barMinutesOf, DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { polledUpdates, pollingReaders } from './transport/polled-updates.ts';
import { collectStretches, malformedCounter, notTradedHere } from './transport/rest-paging.ts';
import { venueRequests } from './transport/venue-requests.ts';
import type { Venue, VenueOptions } from './venue.ts';

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
      barS: MINUTE_S,
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
    async candles(symbol, count, signal, timeframe = DEFAULT_TIMEFRAME) {
      const isLonger = timeframe !== DEFAULT_TIMEFRAME;
      // Two bars more: the first minutes may be in the middle of one, and the last ones are of the open one.
      const minutes = await load(symbol, isLonger ? (count + 2) * barMinutesOf(timeframe) : count, signal);
      readers.record(symbol, minutes);
      return isLonger ? aggregateCandles(minutes, timeframe).slice(-count) : minutes;
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
