/**
 * Binance USD-M perpetuals: klines by REST, updates by one combined stream. The same connector reads the sandbox
 * market, which speaks these words for all ten symbols. What counts as closed is decided by the venue's own clock.
 */

import { AppError } from '#domain/errors/app-error.ts';
import {
  klineStreamName,
  MAX_KLINES,
  parseKlineMessage,
  parseKlines,
  productIdOf,
  serverTimeSchema,
} from '#domain/market/binance-klines.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { updateQueue } from '../update-queue.ts';
import { keepUpstreamSocket, type SocketTiming } from '../upstream-socket.ts';
import type { CandleUpdate, Venue } from '../venue.ts';
import { venueClock } from '../venue-clock.ts';
import { venueRequests } from '../venue-requests.ts';

export interface BinanceOptions {
  /** Absent: `binance`. The sandbox market goes by `sandbox`. */
  id?: string;
  /** Without paths: `https://fapi.binance.com`, `wss://fstream.binance.com`. */
  restUrl: string;
  wsUrl: string;
  /** Those it may be asked for; the real venue has the perpetuals only. */
  symbols: readonly MarketSymbol[];
  clock: Clock;
  log: Logger;
  fetch?: typeof fetch;
  timeoutMs?: number;
  socketTiming?: Partial<SocketTiming>;
}

/** Calls to page back through history; nobody needs more than a few thousand candles. */
const MAX_PAGES = 8;

export function binanceVenue(options: BinanceOptions): Venue {
  const { id = 'binance', restUrl, symbols, log, fetch, timeoutMs } = options;
  const clock = venueClock(options.clock);
  const requests = venueRequests({ baseUrl: restUrl, log, fetch, timeoutMs });
  const wsUrl = options.wsUrl.replace(/\/$/, '');
  let malformed = 0;

  function countMalformed(count: number, source: string): void {
    if (count === 0) return;
    malformed += count;
    log.warn({ venue: id, source, count }, 'malformed candles dropped');
  }

  function supports(symbol: MarketSymbol): boolean {
    return symbols.some((s) => s.sym === symbol.sym);
  }

  async function candles(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<Candle[]> {
    if (!supports(symbol)) throw new AppError('venue/unavailable', { details: { reason: 'not traded here' } });
    const time = serverTimeSchema.safeParse(await requests.getJson('/fapi/v1/time', {}, signal));
    if (!time.success) throw new AppError('venue/unavailable', { details: { reason: 'no server time' } });
    // Asked before the rows: what had closed by then is final in them, even when the minute turns in between.
    const asOfMs = time.data.serverTime;
    clock.observe(asOfMs);

    const byTime = new Map<number, Candle>();
    let endTime: number | null = null;
    for (let page = 0; page < MAX_PAGES && byTime.size < count; page++) {
      const limit = Math.min(MAX_KLINES, count - byTime.size + 1);
      const query = { symbol: productIdOf(symbol), interval: '1m', limit, ...(endTime === null ? {} : { endTime }) };
      const answer = parseKlines(await requests.getJson('/fapi/v1/klines', query, signal));
      countMalformed(answer.malformed, 'rest');
      for (const { candle, closeMs } of answer.klines) if (closeMs < asOfMs) byTime.set(candle.time, candle);
      const [oldest] = answer.klines;
      const isLastPage = answer.klines.length + answer.malformed < limit;
      if (oldest === undefined || isLastPage) break;
      endTime = oldest.candle.time * 1000 - 1;
    }
    return [...byTime.values()].sort((a, b) => a.time - b.time).slice(-count);
  }

  async function* updates(wanted: readonly MarketSymbol[], signal: AbortSignal): AsyncGenerator<CandleUpdate, void> {
    const byProduct = new Map(wanted.filter(supports).map((symbol) => [productIdOf(symbol), symbol]));
    if (byProduct.size === 0) return;
    const queue = updateQueue<CandleUpdate>();
    const streams = [...byProduct.keys()].map(klineStreamName).join('/');
    const url = `${wsUrl}/market/stream?streams=${streams}`;
    // The reader may leave before the signal aborts: leaving ends the socket too.
    const left = new AbortController();
    const whole = AbortSignal.any([signal, left.signal]);
    keepUpstreamSocket({ url, log, signal: whole, timing: options.socketTiming, onMessage: take });
    try {
      yield* queue.drain(whole);
    } finally {
      left.abort();
    }

    function take(text: string): void {
      const message = parseKlineMessage(text);
      if (message.kind === 'malformed') countMalformed(1, 'stream');
      if (message.kind !== 'kline') return;
      clock.observe(message.eventMs);
      const symbol = byProduct.get(message.productId);
      if (symbol !== undefined) queue.push({ symbol, candle: message.candle, isClosed: message.isClosed });
    }
  }

  return {
    id,
    attribution: 'Binance USD-M futures',
    delayS: 0,
    supports,
    candles,
    updates,
    nowMs: () => clock.nowMs(),
    get malformed() {
      return malformed;
    },
  };
}
