/** Binance USD-M perpetuals: klines by REST, updates by one combined stream. */
import {
  KLINE_INTERVALS,
  klineStreamName,
  MAX_KLINES,
  parseKlineFrame,
  parseKlines,
  parseServerTime,
  productIdOf,
} from '#domain/market/codecs/binance-klines.ts';
import { type PerpetualWire, perpetualVenue } from './perpetual-venue.ts';
import type { Venue, VenueOptions } from './venue.ts';
import { VENUE_REFUSALS } from './venue-refusals.ts';

export const BINANCE: PerpetualWire = {
  id: 'binance',
  attribution: 'Binance USD-M futures',
  time: { path: '/fapi/v1/time', parse: parseServerTime },
  productIdOf,
  maxRows: MAX_KLINES,
  readRefusal: VENUE_REFUSALS.binance,
  pages: (get, symbol, asOfMs, timeframe) => async (limit, beforeMs) => {
    const before = beforeMs === null ? {} : { endTime: beforeMs - 1 };
    const query = { symbol, interval: KLINE_INTERVALS[timeframe], limit, ...before };
    return parseKlines(await get('/fapi/v1/klines', query), asOfMs, timeframe);
  },
  streamPath: (productIds) => `/market/stream?streams=${productIds.map(klineStreamName).join('/')}`,
  parseFrame: parseKlineFrame,
};

/** @param options  URLs without paths: `https://fapi.binance.com`, `wss://fstream.binance.com` */
export const binanceVenue = (options: VenueOptions): Venue => perpetualVenue(BINANCE, options);
