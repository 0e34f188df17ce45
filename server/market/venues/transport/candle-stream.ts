import { MINUTE_S } from '#domain/market/candle.ts';
import type { CandleFrame } from '#domain/market/codecs/candle-rows.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { CandleUpdate } from '../venue.ts';
import type { MalformedCounter } from './rest-paging.ts';
import { type KeepAlive, openUpstreamSocket, type SocketTiming } from './upstream-socket.ts';
import type { VenueClock } from './venue-clock.ts';

/** A candle further ahead of the venue's estimated time is a wrong candle, not a wrong clock. */
const MAX_PROOF_MS = 600_000;

export interface CandleStreamOptions {
  venue: string;
  url: string;
  /** Symbols by the name in the venue's frames; other frames are ignored. */
  byProduct: ReadonlyMap<string, MarketSymbol>;
  parse(text: string): CandleFrame;
  /** Sent first on every connection: the subscriptions. */
  greeting?: readonly string[] | undefined;
  keepAlive?: KeepAlive | undefined;
  clock: VenueClock;
  malformed: MalformedCounter;
  log: Logger;
  timing?: Partial<SocketTiming> | undefined;
}

/** Yields until `signal` aborts or the reader leaves; either ends the connection. No symbols, no connection. */
export async function* candleStream(
  options: CandleStreamOptions,
  signal: AbortSignal,
): AsyncGenerator<CandleUpdate, void> {
  const { venue, url, byProduct, parse, greeting, keepAlive, clock, malformed, log, timing } = options;
  if (byProduct.size === 0) return;
  const queue = updateQueue<CandleUpdate>();
  const left = new AbortController();
  const whole = AbortSignal.any([signal, left.signal]);
  openUpstreamSocket({ url, log, signal: whole, timing, greeting, keepAlive, onMessage: handleFrame });
  try {
    yield* queue.drain(whole);
  } finally {
    left.abort();
  }

  function handleFrame(text: string): void {
    const frame = parse(text);
    if (frame.kind === 'malformed') malformed.add(1, 'stream');
    if (frame.kind === 'refused') log.warn({ venue, reason: frame.reason.slice(0, 200) }, 'venue refused to stream');
    if (frame.kind !== 'candles') return;
    malformed.add(frame.malformed, 'stream');
    if (frame.eventMs !== null) clock.observe(frame.eventMs);
    const symbol = byProduct.get(frame.productId);
    if (symbol === undefined) return;
    for (const { candle, isClosed } of frame.seen) {
      // Without a venue time in the frame, a closed candle still proves that its minute is over.
      const aheadMs = (candle.time + MINUTE_S) * 1000 - clock.nowMs();
      const isProof = frame.eventMs === null && isClosed && aheadMs > 0 && aheadMs < MAX_PROOF_MS;
      if (isProof) clock.observe((candle.time + MINUTE_S) * 1000);
      queue.push({ symbol, candle, isClosed });
    }
  }
}

const MAX_WAITING = 5000;

export interface UpdateQueue<T> {
  push(item: T): void;
  /** Yields pushed items until `signal` aborts. For one reader. */
  drain(signal: AbortSignal): AsyncGenerator<T, void>;
}

export function updateQueue<T>(maxWaiting = MAX_WAITING): UpdateQueue<T> {
  const waiting: T[] = [];
  let wake: () => void = () => {};

  return {
    push(item) {
      if (waiting.length >= maxWaiting) waiting.shift();
      waiting.push(item);
      wake();
    },
    async *drain(signal) {
      const stop = (): void => wake();
      signal.addEventListener('abort', stop);
      try {
        while (!signal.aborted) {
          const item = waiting.shift();
          if (item !== undefined) yield item;
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}
