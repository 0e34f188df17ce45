/** Rows do not mark the open one. A banned address gets 403 and must send nothing for ten minutes. */
import {
  BYBIT_INTERVALS,
  bybitProductIdOf,
  bybitTopic,
  MAX_BYBIT_KLINES,
  parseBybitFrame,
  parseBybitKlines,
  parseBybitTime,
} from '#domain/market/codecs/bybit-klines.ts';
import { type PerpetualWire, perpetualVenue } from './perpetual-venue.ts';
import type { Venue, VenueOptions } from './venue.ts';
import { VENUE_REFUSALS } from './venue-refusals.ts';

export const BYBIT: PerpetualWire = {
  id: 'bybit',
  attribution: 'Bybit USDT perpetuals',
  time: { path: '/v5/market/time', parse: parseBybitTime },
  productIdOf: bybitProductIdOf,
  maxRows: MAX_BYBIT_KLINES,
  readRefusal: VENUE_REFUSALS.bybit,
  pages: (get, symbol, asOfMs, timeframe) => async (limit, beforeMs) => {
    const before = beforeMs === null ? {} : { end: beforeMs - 1 };
    const query = { category: 'linear', symbol, interval: BYBIT_INTERVALS[timeframe], limit, ...before };
    return parseBybitKlines(await get('/v5/market/kline', query), asOfMs, timeframe);
  },
  streamPath: () => '/v5/public/linear',
  // One per request: a request with one unknown topic is refused as a whole.
  greeting: (productIds) => productIds.map((id) => JSON.stringify({ op: 'subscribe', args: [bybitTopic(id)] })),
  keepAlive: {
    text: JSON.stringify({ op: 'ping' }),
    everyMs: 20_000,
    // `{"success":true,"ret_msg":"pong",...,"op":"ping"}`; every message that matters has a topic.
    isAnswer: (text) => text.length < 300 && /"op":"(ping|pong)"/.test(text),
  },
  parseFrame: parseBybitFrame,
};

/** @param options  URLs without paths: `https://api.bybit.com`, `wss://stream.bybit.com` */
export const bybitVenue = (options: VenueOptions): Venue => perpetualVenue(BYBIT, options);
