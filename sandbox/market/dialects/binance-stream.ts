/**
 * The streaming half of the sandbox market: `/market/ws/<stream>` and `/market/stream?streams=a/b`. An open candle is
 * sent about once a second of wall time, the closed one when its minute turns. The clock is read often rather than
 * waited for, because a test may move it.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import { klineStreamName, toKlineEvent } from '#domain/market/binance-klines.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { Clock } from '#domain/time/clock.ts';
import { refuseUpgrade } from '../dialect.ts';
import type { MarketFaults } from '../market-faults.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';

const POLL_MS = 100;
const UPDATE_MS = 1000;
const PING_MS = 3 * 60_000;
const MAX_STREAMS = 1024;
/** Closed candles sent after a jump of the clock; a reader that missed more asks REST, as at a real venue. */
const MAX_TURNS = 30;
/** A reader that lets this much pile up is cut off. */
const MAX_BUFFERED = 1 << 20;

export interface KlineStreams {
  /** Takes over an upgrade request; refuses paths that are no stream. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts every connection without a goodbye. */
  cutAll(): void;
  close(): Promise<void>;
}

interface Reader {
  socket: WebSocket;
  streams: Set<string>;
  isCombined: boolean;
}

const requestSchema = z.object({
  method: z.enum(['SUBSCRIBE', 'UNSUBSCRIBE']),
  params: z.array(z.string()).check(z.maxLength(MAX_STREAMS)),
  id: z.nullish(z.union([z.int(), z.string()])),
});

export function openKlineStreams(listing: readonly ListedSymbol[], clock: Clock, faults: MarketFaults): KlineStreams {
  const server = new WebSocketServer({ noServer: true, maxPayload: 1 << 16 });
  const readers = new Set<Reader>();
  let minuteS = runningMinuteS(clock.nowMs());
  let updatedAtMs = 0;

  function send(reader: Reader, listed: ListedSymbol, candle: Candle, isClosed: boolean): void {
    const stream = klineStreamName(listed.productId);
    if (!reader.streams.has(stream) || !faults.delivers(listed.productId, candle, isClosed)) return;
    const event = toKlineEvent(listed.productId, candle, isClosed, clock.nowMs());
    if (reader.socket.bufferedAmount > MAX_BUFFERED) reader.socket.terminate();
    else reader.socket.send(JSON.stringify(reader.isCombined ? { stream, data: event } : event));
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
    for (const { socket } of readers) socket.ping();
  }, PING_MS).unref();

  function join(socket: WebSocket, streams: readonly string[], isCombined: boolean): void {
    const reader: Reader = { socket, streams: new Set(streams), isCombined };
    readers.add(reader);
    socket.on('close', () => readers.delete(reader));
    // A broken connection closes right after; there is nobody to tell.
    socket.on('error', () => socket.terminate());
    socket.on('message', (data) => socket.send(JSON.stringify(answerRequest(reader, String(data)))));
    sendOpen([reader]);
  }

  return {
    accept(request, socket, head) {
      const wanted = wantedStreams(request.url ?? '');
      if (wanted === null) {
        refuseUpgrade(socket);
        return;
      }
      server.handleUpgrade(request, socket, head, (upgraded) => join(upgraded, wanted.streams, wanted.isCombined));
    },
    cutAll() {
      for (const { socket } of readers) socket.terminate();
    },
    async close() {
      clearInterval(poll);
      clearInterval(ping);
      for (const { socket } of readers) socket.terminate();
      server.close();
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
