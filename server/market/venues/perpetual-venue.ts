/** The venue's own clock decides which candles are closed. Each venue describes its wire; the rest is the same. */
import type { Candle } from '#domain/market/candle.ts';
import type { CandleFrame } from '#domain/market/codecs/candle-rows.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { candleStream } from './transport/candle-stream.ts';
import { collectCandles, malformedCounter, notTradedHere, type PagingOptions } from './transport/rest-paging.ts';
import type { KeepAlive } from './transport/upstream-socket.ts';
import { venueClock } from './transport/venue-clock.ts';
import { type VenueRequestOptions, venueLanes } from './transport/venue-requests.ts';
import type { Venue, VenueOptions } from './venue.ts';

export interface PerpetualWire extends Pick<Venue, 'id' | 'attribution'>, Pick<VenueRequestOptions, 'readRefusal'> {
  /** Paths start with a slash and follow the base URL. */
  time: { path: string; parse(answer: unknown): number };
  productIdOf(symbol: MarketSymbol): string;
  maxRows: number;
  /** @param get  one call; its answer is parsed JSON @param asOfMs  the venue's time before the first page */
  pages(
    get: (path: string, query: Query) => Promise<unknown>,
    productId: string,
    asOfMs: number,
    timeframe: Timeframe,
  ): PagingOptions['page'];
  streamPath(productIds: readonly string[]): string;
  /** Sent first on every connection: the subscriptions. */
  greeting?(productIds: readonly string[]): string[];
  keepAlive?: KeepAlive;
  parseFrame(text: string): CandleFrame;
}

type Query = Readonly<Record<string, string | number>>;

/** @param options  URLs without paths */
export function perpetualVenue(wire: PerpetualWire, options: VenueOptions): Venue {
  const { id, attribution, time, productIdOf, readRefusal } = wire;
  const { restUrl, log, fetch, timeoutMs } = options;
  const symbols = options.symbols.filter((symbol) => symbol.assetClass === 'crypto');
  const clock = venueClock(options.clock);
  const lanes = venueLanes({ baseUrl: restUrl, log, fetch, timeoutMs, readRefusal });
  const malformed = malformedCounter(id, log);

  /** The names of a perpetual are the same on every venue, so one rule finds them all. */
  function isListed(symbol: MarketSymbol): boolean {
    return symbol.sym.endsWith('.P') && options.products?.isTraded(symbol.sym) === true;
  }

  const isSpecified = ({ sym }: MarketSymbol): boolean => symbols.some((symbol) => symbol.sym === sym);
  const supports = (symbol: MarketSymbol): boolean => isSpecified(symbol) || isListed(symbol);

  async function candles(
    symbol: MarketSymbol,
    count: number,
    signal: AbortSignal,
    timeframe: Timeframe = DEFAULT_TIMEFRAME,
  ): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    const requests = isSpecified(symbol) ? lanes.specified : lanes.products;
    const get = (path: string, query: Query) => requests.getJson(path, query, signal);
    // Requested before the rows: candles closed by then are final in them, even if a bar ends in between.
    const asOfMs = time.parse(await get(time.path, {}));
    clock.observe(asOfMs);
    const page = wire.pages(get, productIdOf(symbol), asOfMs, timeframe);
    return collectCandles({ count, maxRows: wire.maxRows, asOfMs, barS: barSecondsOf(timeframe), malformed, page });
  }

  return {
    id,
    attribution,
    delayS: 0,
    supports,
    candles,
    updates(wanted, signal) {
      const byProduct = new Map(wanted.filter(supports).map((symbol) => [productIdOf(symbol), symbol]));
      const productIds = [...byProduct.keys()];
      const url = options.wsUrl.replace(/\/$/, '') + wire.streamPath(productIds);
      const socket = { url, greeting: wire.greeting?.(productIds), keepAlive: wire.keepAlive, parse: wire.parseFrame };
      return candleStream(
        { venue: id, ...socket, byProduct, clock, malformed, log, timing: options.socketTiming },
        signal,
      );
    },
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}
