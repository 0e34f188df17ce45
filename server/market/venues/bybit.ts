/**
 * Bybit linear perpetuals: klines by REST, updates by one socket that needs our ping every 20 seconds. Its rows do not
 * mark the open one; its clock decides. A banned address gets 403 and must send nothing for ten minutes.
 */

import type { Candle } from '#domain/market/candle.ts';
import {
  bybitProductIdOf,
  bybitRefusal,
  bybitTopic,
  MAX_BYBIT_KLINES,
  parseBybitFrame,
  parseBybitKlines,
  parseBybitTime,
} from '#domain/market/codecs/bybit-klines.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { collectCandles, malformedCounter, notTradedHere } from './transport/candle-pages.ts';
import { candleStream } from './transport/candle-stream.ts';
import type { KeepAlive } from './transport/upstream-socket.ts';
import { venueClock } from './transport/venue-clock.ts';
import { type BodyRefusal, venueRequests } from './transport/venue-requests.ts';
import type { Venue } from './venue.ts';
import type { VenueOptions } from './venue-options.ts';

const TOO_MANY = new Set([10006, 10018]);
/** Timed out or failed on their side. */
const FAILING = new Set([10000, 10016]);

const KEEP_ALIVE: KeepAlive = {
  text: JSON.stringify({ op: 'ping' }),
  everyMs: 20_000,
  // `{"success":true,"ret_msg":"pong",...,"op":"ping"}`; every message that matters has a topic.
  isAnswer: (text) => text.length < 300 && /"op":"(ping|pong)"/.test(text),
};

/** @param options  URLs without paths: `https://api.bybit.com`, `wss://stream.bybit.com` */
export function bybitVenue(options: VenueOptions): Venue {
  const id = 'bybit';
  const { restUrl, log, fetch, timeoutMs } = options;
  const symbols = options.symbols.filter((symbol) => symbol.assetClass === 'crypto');
  const clock = venueClock(options.clock);
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs, readRefusal });
  const url = `${options.wsUrl.replace(/\/$/, '')}/v5/public/linear`;
  const malformed = malformedCounter(id, log);

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    // Requested before the rows: candles closed by then are final in them, even if the minute ends in between.
    const asOfMs = parseBybitTime(await requests.getJson('/v5/market/time', {}, signal));
    clock.observe(asOfMs);
    const asked = { category: 'linear', symbol: bybitProductIdOf(symbol), interval: '1' };
    return collectCandles({
      count,
      maxRows: MAX_BYBIT_KLINES,
      asOfMs,
      malformed,
      async page(limit, beforeMs) {
        const query = { ...asked, limit, ...(beforeMs === null ? {} : { end: beforeMs - 1 }) };
        return parseBybitKlines(await requests.getJson('/v5/market/kline', query, signal), asOfMs);
      },
    });
  }

  return {
    id,
    attribution: 'Bybit USDT perpetuals',
    delayS: 0,
    supports,
    candles,
    updates(wanted, signal) {
      const byProduct = new Map(wanted.filter(supports).map((symbol) => [bybitProductIdOf(symbol), symbol]));
      // One per request: a request with one unknown topic is refused as a whole.
      const greeting = [...byProduct.keys()].map((id) => JSON.stringify({ op: 'subscribe', args: [bybitTopic(id)] }));
      const wire = { venue: id, url, greeting, keepAlive: KEEP_ALIVE, timing: options.socketTiming };
      return candleStream({ ...wire, byProduct, parse: parseBybitFrame, clock, malformed, log }, signal);
    },
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}

function readRefusal(answer: unknown): BodyRefusal | null {
  const refusal = bybitRefusal(answer);
  if (refusal === null) return null;
  const { code, text } = refusal;
  const kind = TOO_MANY.has(code) ? 'too-many' : FAILING.has(code) ? 'failing' : 'mistaken';
  return { reason: `code ${code} ${text}`.trim(), kind };
}
