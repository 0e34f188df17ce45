/**
 * The streaming half of the sandbox market: `/market/ws/<stream>` and `/market/stream?streams=a/b`. An open candle is
 * sent about once a second of wall time, the closed one when its minute turns. The clock is read often rather than
 * waited for, because a test may move it.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import { klineStreamName, toKlineEvent } from '#domain/market/binance-klines.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { type DialectParts, refuseUpgrade } from '../dialect.ts';
import { type Line, openLines } from '../lines.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';

const POLL_MS = 100;
const UPDATE_MS = 1000;
const PING_MS = 3 * 60_000;
const MAX_STREAMS = 1024;
/** Closed candles sent after a jump of the clock; a reader that missed more asks REST, as at a real venue. */
const MAX_TURNS = 30;

export interface KlineStreams {
  /** Takes over an upgrade request; refuses paths that are no stream. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts every connection without a goodbye. */
  cutAll(): void;
  close(): Promise<void>;
}

interface Reader {
  line: Line;
  streams: Set<string>;
  isCombined: boolean;
}

const requestSchema = z.object({
  method: z.enum(['SUBSCRIBE', 'UNSUBSCRIBE']),
  params: z.array(z.string()).check(z.maxLength(MAX_STREAMS)),
  id: z.nullish(z.union([z.int(), z.string()])),
});

export function openKlineStreams(parts: DialectParts): KlineStreams {
  const { listing, clock } = parts;
  const lines = openLines('binance', parts);
  const readers = new Set<Reader>();
  let minuteS = runningMinuteS(clock.nowMs());
  let updatedAtMs = 0;

  function send(reader: Reader, listed: ListedSymbol, candle: Candle, isClosed: boolean): void {
    const { productId } = listed;
    const stream = klineStreamName(productId);
    if (!reader.streams.has(stream)) return;
    const event = toKlineEvent(productId, candle, isClosed, lines.eventMs(productId));
    reader.line.send(reader.isCombined ? { stream, data: event } : event, { productId });
  }

  function sendOpen(to: Iterable<Reader>): void {
    const nowMs = clock.nowMs();
    const openS = runningMinuteS(nowMs);
    const targets = [...to];
    for (const listed of targets.length === 0 ? [] : listing) {
      const candle = candleSeenAt(listed, openS, nowMs);
      if (candle !== null) for (const reader of targets) send(reader, listed, candle, false);
    }
  }

  function sendTurns(fromS: number, toS: number): void {
    for (let timeS = Math.max(fromS, toS - MAX_TURNS * MINUTE_S); timeS < toS; timeS += MINUTE_S) {
      for (const listed of readers.size === 0 ? [] : listing) {
        const candle = listed.source.candleAt(timeS);
        if (candle !== null) for (const reader of readers) send(reader, listed, candle, true);
      }
    }
  }

  const poll = setInterval(() => {
    const runningS = runningMinuteS(clock.nowMs());
    const hasTurned = runningS !== minuteS;
    if (runningS > minuteS) sendTurns(minuteS, runningS);
    minuteS = runningS;
    if (!hasTurned && performance.now() - updatedAtMs < UPDATE_MS) return;
    updatedAtMs = performance.now();
    sendOpen(readers);
  }, POLL_MS).unref();

  const ping = setInterval(() => {
    for (const { line } of readers) line.ping();
  }, PING_MS).unref();

  return {
    accept(request, socket, head) {
      const wanted = wantedStreams(request.url ?? '');
      if (wanted === null) {
        refuseUpgrade(socket);
        return;
      }
      lines.accept(request, socket, head, (line) => {
        const reader: Reader = { line, streams: new Set(wanted.streams), isCombined: wanted.isCombined };
        readers.add(reader);
        sendOpen([reader]);
        return {
          onText: (text) => line.send(answerRequest(reader, text)),
          onClose: () => readers.delete(reader),
        };
      });
    },
    cutAll: lines.cutAll,
    async close() {
      clearInterval(poll);
      clearInterval(ping);
      await lines.close();
    },
  };
}

/** Null for a path that is no stream; the bases retired in 2026 (`/ws`, `/stream`) are none. */
function wantedStreams(url: string): { streams: string[]; isCombined: boolean } | null {
  const parsed = URL.parse(url, 'ws://localhost');
  if (parsed === null) return null;
  const { pathname, searchParams } = parsed;
  if (pathname === '/market/stream') {
    return { streams: (searchParams.get('streams') ?? '').split('/').slice(0, MAX_STREAMS), isCombined: true };
  }
  if (pathname !== '/market/ws' && !pathname.startsWith('/market/ws/')) return null;
  return { streams: pathname.slice('/market/ws/'.length).split('/').slice(0, MAX_STREAMS), isCombined: false };
}

function answerRequest(reader: Reader, text: string): object {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    return { error: { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' } };
  }
  const parsed = requestSchema.safeParse(request);
  if (!parsed.success) return { error: { code: 2, msg: 'Invalid request: unknown variant' } };
  for (const stream of parsed.data.params) {
    if (parsed.data.method === 'UNSUBSCRIBE') reader.streams.delete(stream);
    else if (reader.streams.size < MAX_STREAMS) reader.streams.add(stream);
  }
  return { result: null, id: parsed.data.id ?? null };
}
