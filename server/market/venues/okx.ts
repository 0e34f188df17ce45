/**
 * OKX USDT swaps: candles by REST, updates by one socket that closes after half a minute without messages. The newest
 * 1,440 bars and the older ones have separate endpoints, 300 rows a call; each row states whether it is complete.
 */
import {
  MAX_OKX_CANDLES,
  OKX_BARS,
  OKX_RECENT_BARS,
  okxChannel,
  okxInstrumentIdOf,
  parseOkxCandles,
  parseOkxFrame,
  parseOkxTime,
} from '#domain/market/codecs/okx-candles.ts';
import { barSecondsOf } from '#domain/market/timeframes.ts';
import { type PerpetualWire, perpetualVenue } from './perpetual-venue.ts';
import type { Venue, VenueOptions } from './venue.ts';
import { VENUE_REFUSALS } from './venue-refusals.ts';

/** Of one request: a longer one is refused as a whole. */
const MAX_CHANNELS = 50;

export const OKX: PerpetualWire = {
  id: 'okx',
  attribution: 'OKX USDT swaps',
  time: { path: '/api/v5/public/time', parse: parseOkxTime },
  productIdOf: okxInstrumentIdOf,
  maxRows: MAX_OKX_CANDLES,
  readRefusal: VENUE_REFUSALS.okx,
  pages(get, instId, asOfMs, timeframe) {
    const barMs = barSecondsOf(timeframe) * 1000;
    const oldestRecentMs = asOfMs - (OKX_RECENT_BARS - 1) * barMs;
    let isRecent = true;
    return async (limit, beforeMs) => {
      // A page across the boundary would be short at the first endpoint and cost another call.
      isRecent &&= beforeMs === null || beforeMs - limit * barMs >= oldestRecentMs;
      const path = isRecent ? '/api/v5/market/candles' : '/api/v5/market/history-candles';
      const query = { instId, bar: OKX_BARS[timeframe], limit, ...(beforeMs === null ? {} : { after: beforeMs }) };
      const answer = parseOkxCandles(await get(path, query), timeframe);
      // A short page of recent bars only means that the older ones are at the other endpoint.
      const isShort = answer.rows < limit;
      const isEnd = isShort && !isRecent;
      if (isShort) isRecent = false;
      return { ...answer, isEnd };
    };
  },
  streamPath: () => '/ws/v5/business',
  greeting: (productIds) =>
    Array.from({ length: Math.ceil(productIds.length / MAX_CHANNELS) }, (_, i) => {
      const part = productIds.slice(i * MAX_CHANNELS, (i + 1) * MAX_CHANNELS);
      return JSON.stringify({ op: 'subscribe', args: part.map(okxChannel) });
    }),
  keepAlive: { text: 'ping', everyMs: 20_000, isAnswer: (text) => text === 'pong' },
  parseFrame: parseOkxFrame,
};

/** @param options  URLs without paths: `https://www.okx.com`, `wss://ws.okx.com:8443` */
export const okxVenue = (options: VenueOptions): Venue => perpetualVenue(OKX, options);
