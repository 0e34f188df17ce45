/**
 * Binance USD-M perpetuals: klines by REST, updates by one combined stream. The venue's own clock decides which candles
 * are closed.
 */

import type { Candle } from '#domain/market/candle.ts';
import {
  klineStreamName,
  MAX_KLINES,
  parseKlineFrame,
  parseKlines,
  parseServerTime,
  productIdOf,
} from '#domain/market/codecs/binance-klines.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { collectCandles, malformedCounter, notTradedHere } from './transport/candle-pages.ts';
import { candleStream } from './transport/candle-stream.ts';
import { venueClock } from './transport/venue-clock.ts';
import { venueRequests } from './transport/venue-requests.ts';
import type { Venue } from './venue.ts';
import type { VenueOptions } from './venue-options.ts';

/** @param options  URLs without paths: `https://fapi.binance.com`, `wss://fstream.binance.com` */
export function binanceVenue(options: VenueOptions): Venue {
  const id = 'binance';
  const { restUrl, symbols, log, fetch, timeoutMs } = options;
  const clock = venueClock(options.clock);
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs });
  const wsUrl = options.wsUrl.replace(/\/$/, '');
  const malformed = malformedCounter(id, log);

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    // Requested before the rows: candles closed by then are final in them, even if the minute ends in between.
    const asOfMs = parseServerTime(await requests.getJson('/fapi/v1/time', {}, signal));
    clock.observe(asOfMs);
    const asked = { symbol: productIdOf(symbol), interval: '1m' };
    return collectCandles({
      count,
      maxRows: MAX_KLINES,
      asOfMs,
      malformed,
      async page(limit, beforeMs) {
        const query = { ...asked, limit, ...(beforeMs === null ? {} : { endTime: beforeMs - 1 }) };
        return parseKlines(await requests.getJson('/fapi/v1/klines', query, signal), asOfMs);
      },
    });
  }

  return {
    id,
    attribution: 'Binance USD-M futures',
    delayS: 0,
    supports,
    candles,
    updates(wanted, signal) {
      const byProduct = new Map(wanted.filter(supports).map((symbol) => [productIdOf(symbol), symbol]));
      const streams = [...byProduct.keys()].map(klineStreamName).join('/');
      const url = `${wsUrl}/market/stream?streams=${streams}`;
      const timing = options.socketTiming;
      return candleStream({ venue: id, url, byProduct, parse: parseKlineFrame, clock, malformed, log, timing }, signal);
    },
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}
