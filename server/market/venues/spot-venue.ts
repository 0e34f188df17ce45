/**
 * Spot pairs of Coinbase and Kraken, from the catalogue only. Neither streams candles, so pairs with readers are
 * requested once a minute. A minute without a trade closes where the one before did, as venues of perpetuals write it.
 */
import { AppError } from '#domain/errors/app-error.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { MAX_COINBASE_CANDLES, parseCoinbaseCandles } from '#domain/market/codecs/coinbase-candles.ts';
import { parseKrakenOhlc } from '#domain/market/codecs/kraken-ohlc.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { polledUpdates, pollingReaders } from './transport/polled-updates.ts';
import { malformedCounter, notTradedHere } from './transport/rest-paging.ts';
import { type VenueRequestOptions, type VenueRequests, venueLanes } from './transport/venue-requests.ts';
import type { Venue, VenueOptions } from './venue.ts';
import { VENUE_REFUSALS } from './venue-refusals.ts';

interface BarRows {
  /** Oldest first. */
  candles: readonly Candle[];
  malformed: number;
}

export interface SpotWire extends Pick<Venue, 'id' | 'attribution'>, Pick<VenueRequestOptions, 'readRefusal'> {
  /** The newest `count` bars up to `lastS`, as far as the venue has them; bars without trades may be missing. */
  load(requests: VenueRequests, productId: string, range: BarRange, signal: AbortSignal): Promise<BarRows>;
}

interface BarRange {
  count: number;
  /** Opening second of the newest closed bar. */
  lastS: number;
  barS: (typeof BAR_LENGTHS)[number];
}

/** Both venues have bars of every timeframe. */
const BAR_LENGTHS = [60, 300, 900] as const;

/** A page has 300 bars; a day of minutes and a bit is enough for every reader. */
const MAX_PAGES = 6;

const COINBASE: SpotWire = {
  id: 'coinbase',
  attribution: 'Coinbase Exchange',
  async load(requests, productId, { count, lastS, barS }, signal) {
    const candles: Candle[] = [];
    let malformed = 0;
    for (let page = 0, endS = lastS; page < MAX_PAGES && lastS - endS < count * barS; page++) {
      const startS = endS - (MAX_COINBASE_CANDLES - 1) * barS;
      const query = { granularity: barS, start: isoOf(startS), end: isoOf(endS) };
      const answer = await requests.getJson(`/products/${productId}/candles`, query, signal);
      const rows = parseCoinbaseCandles(answer, barS);
      malformed += rows.malformed;
      candles.unshift(...rows.candles.filter(({ time }) => time >= startS && time <= endS));
      // Nothing that old: the pair is younger.
      if (rows.candles.length === 0) break;
      endS = startS - barS;
    }
    return { candles, malformed };
  },
};

const KRAKEN: SpotWire = {
  id: 'kraken',
  attribution: 'Kraken',
  readRefusal: VENUE_REFUSALS.kraken,
  async load(requests, productId, { lastS, barS }, signal) {
    const answer = await requests.getJson('/0/public/OHLC', { pair: productId, interval: barS / MINUTE_S }, signal);
    const { rows, malformed } = parseKrakenOhlc(answer);
    const candles = rows.map(([time, o, h, l, c, , v]) => ({
      time,
      open: Number(o),
      high: Number(h),
      low: Number(l),
      close: Number(c),
      volume: Number(v),
    }));
    return { candles: candles.filter(({ time }) => time <= lastS && time % barS === 0), malformed };
  },
};

function isoOf(epochS: number): string {
  return new Date(epochS * 1000).toISOString();
}

/** @param options  `restUrl` without a path: `https://api.exchange.coinbase.com` */
export const coinbaseSpotVenue = (options: SpotOptions): Venue => spotVenue(COINBASE, options);
/** @param options  `restUrl` without a path: `https://api.kraken.com` */
export const krakenSpotVenue = (options: SpotOptions): Venue => spotVenue(KRAKEN, options);

type SpotOptions = Omit<VenueOptions, 'wsUrl' | 'socketTiming' | 'symbols'>;

function spotVenue({ id, attribution, readRefusal, load }: SpotWire, options: SpotOptions): Venue {
  const { restUrl, clock, log, fetch, timeoutMs, products } = options;
  const { products: requests } = venueLanes({ baseUrl: restUrl, log, fetch, timeoutMs, readRefusal });
  const malformed = malformedCounter(id, log);
  const readers = pollingReaders();

  const isSpot = ({ sym }: MarketSymbol): boolean => !sym.endsWith('.P');
  const supports = (symbol: MarketSymbol): boolean => isSpot(symbol) && products?.isTraded(symbol.sym) === true;

  async function bars(
    symbol: MarketSymbol,
    count: number,
    signal: AbortSignal,
    timeframe: Timeframe = DEFAULT_TIMEFRAME,
  ): Promise<Candle[]> {
    const productId = supports(symbol) ? (products?.productIdOf(symbol.sym) ?? null) : null;
    if (productId === null) throw notTradedHere();
    const barS = BAR_LENGTHS.find((seconds) => seconds === barSecondsOf(timeframe)) ?? MINUTE_S;
    const lastS = Math.floor(clock.nowMs() / 1000 / barS) * barS - barS;
    const rows = await load(requests, productId, { count, lastS, barS }, signal);
    malformed.add(rows.malformed, 'rest');
    if (rows.candles.length === 0 && rows.malformed > 0)
      throw new AppError('venue/unavailable', { details: { reason: 'only malformed candles' } });
    return withQuietBars(rows.candles, lastS, barS).slice(-count);
  }

  return {
    id,
    attribution,
    delayS: 0,
    supports,
    async candles(symbol, count, signal, timeframe = DEFAULT_TIMEFRAME) {
      const candles = await bars(symbol, count, signal, timeframe);
      if (timeframe === DEFAULT_TIMEFRAME) readers.record(symbol, candles);
      return candles;
    },
    updates(wanted, signal) {
      const polled = { venue: id, symbols: wanted.filter(supports), isWanted: readers.isWanted };
      return polledUpdates({ ...polled, nowMs: () => clock.nowMs(), candles: bars, log }, signal);
    },
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}

/** A pair without a trade for longer is not continued: its price says nothing about now. */
const MAX_QUIET_BARS = 720;

/** @param candles  oldest first @param lastS  the newest closed bar @returns every bar between */
function withQuietBars(candles: readonly Candle[], lastS: number, barS: number): Candle[] {
  const filled: Candle[] = [];
  for (const [i, candle] of candles.entries()) {
    filled.push(candle);
    const untilS = candles[i + 1]?.time ?? lastS + barS;
    const quiet = untilS - candle.time > MAX_QUIET_BARS * barS ? 0 : (untilS - candle.time) / barS - 1;
    const { close } = candle;
    for (let k = 1; k <= quiet; k++)
      filled.push({ time: candle.time + k * barS, open: close, high: close, low: close, close, volume: 0 });
  }
  return filled;
}
