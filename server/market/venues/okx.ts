/**
 * OKX USDT swaps: candles by REST, updates by one socket that closes after half a minute without messages. The newest
 * 1,440 bars and the older ones have separate endpoints, 300 rows a call; each row states whether it is complete.
 */
import type { Candle } from '#domain/market/candle.ts';
import {
  MAX_OKX_CANDLES,
  OKX_RECENT_BARS,
  okxChannel,
  okxInstrumentIdOf,
  okxRefusal,
  parseOkxCandles,
  parseOkxFrame,
  parseOkxTime,
} from '#domain/market/codecs/okx-candles.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { collectCandles, malformedCounter, notTradedHere } from './transport/candle-pages.ts';
import { candleStream } from './transport/candle-stream.ts';
import type { KeepAlive } from './transport/upstream-socket.ts';
import { venueClock } from './transport/venue-clock.ts';
import { type BodyRefusal, venueRequests } from './transport/venue-requests.ts';
import type { Venue } from './venue.ts';
import type { VenueOptions } from './venue-options.ts';

const TOO_MANY = new Set([50011, 50061]);
/** Unavailable, timed out or busy on their side. */
const FAILING = new Set([50001, 50004, 50013, 50026]);

const MINUTE_MS = 60_000;

const KEEP_ALIVE: KeepAlive = { text: 'ping', everyMs: 20_000, isAnswer: (text) => text === 'pong' };

/** @param options  URLs without paths: `https://www.okx.com`, `wss://ws.okx.com:8443` */
export function okxVenue(options: VenueOptions): Venue {
  const id = 'okx';
  const { restUrl, log, fetch, timeoutMs } = options;
  const symbols = options.symbols.filter((symbol) => symbol.assetClass === 'crypto');
  const clock = venueClock(options.clock);
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs, readRefusal });
  const url = `${options.wsUrl.replace(/\/$/, '')}/ws/v5/business`;
  const malformed = malformedCounter(id, log);

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw notTradedHere();
    const asOfMs = parseOkxTime(await requests.getJson('/api/v5/public/time', {}, signal));
    clock.observe(asOfMs);
    const instId = okxInstrumentIdOf(symbol);
    const oldestRecentMs = asOfMs - (OKX_RECENT_BARS - 1) * MINUTE_MS;
    let isRecent = true;
    return collectCandles({
      count,
      maxRows: MAX_OKX_CANDLES,
      asOfMs,
      malformed,
      async page(limit, beforeMs) {
        // A page across the boundary would be short at the first endpoint and cost another call.
        isRecent &&= beforeMs === null || beforeMs - limit * MINUTE_MS >= oldestRecentMs;
        const path = isRecent ? '/api/v5/market/candles' : '/api/v5/market/history-candles';
        const query = { instId, bar: '1m', limit, ...(beforeMs === null ? {} : { after: beforeMs }) };
        const answer = parseOkxCandles(await requests.getJson(path, query, signal));
        // A short page of recent bars only means that the older ones are at the other endpoint.
        const isShort = answer.rows < limit;
        const isEnd = isShort && !isRecent;
        if (isShort) isRecent = false;
        return { ...answer, isEnd };
      },
    });
  }

  return {
    id,
    attribution: 'OKX USDT swaps',
    delayS: 0,
    supports,
    candles,
    updates(wanted, signal) {
      const byProduct = new Map(wanted.filter(supports).map((symbol) => [okxInstrumentIdOf(symbol), symbol]));
      const greeting = [JSON.stringify({ op: 'subscribe', args: [...byProduct.keys()].map(okxChannel) })];
      const wire = { venue: id, url, greeting, keepAlive: KEEP_ALIVE, timing: options.socketTiming };
      return candleStream({ ...wire, byProduct, parse: parseOkxFrame, clock, malformed, log }, signal);
    },
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed.count;
    },
  };
}

function readRefusal(answer: unknown): BodyRefusal | null {
  const refusal = okxRefusal(answer);
  if (refusal === null) return null;
  const { code, text } = refusal;
  const kind = TOO_MANY.has(code) ? 'too-many' : FAILING.has(code) ? 'failing' : 'mistaken';
  return { reason: `code ${code} ${text}`.trim(), kind };
}
