/** Binance's streams: `/market/ws/<stream>` and `/market/stream?streams=a/b`. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import { klineStreamName, toKlineEvent } from '#domain/market/codecs/binance-klines.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import { candleFeed } from '../../candle-feed.ts';
import { type DialectParts, refuseUpgrade } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { type Line, openLines } from '../../simulation/lines.ts';

const PING_MS = 3 * 60_000;
const MAX_STREAMS = 1024;

export interface KlineStreams {
  /** Takes over an upgrade request; refuses unknown paths. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Cuts every connection without a close frame. */
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
  const lines = openLines('binance', parts);
  const feed = candleFeed<Reader>(parts, send);

  function send(reader: Reader, { productId }: ListedSymbol, { candle, isClosed }: SeenCandle): void {
    const stream = klineStreamName(productId);
    if (!reader.streams.has(stream)) return;
    const event = toKlineEvent(productId, candle, isClosed, lines.eventMs(productId));
    reader.line.send(reader.isCombined ? { stream, data: event } : event, { productId });
  }

  const ping = setInterval(() => {
    for (const { line } of feed.readers) line.ping();
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
        feed.join(reader);
        feed.greet(reader);
        return {
          onText: (text) => line.send(answerRequest(reader, text)),
          onClose: () => feed.leave(reader),
        };
      });
    },
    cutAll: lines.cutAll,
    async close() {
      feed.close();
      clearInterval(ping);
      await lines.close();
    },
  };
}

/** Null for an unknown path, including the bases retired in 2026 (`/ws`, `/stream`). */
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
