/** Binance USD-M: klines of the perpetuals, REST and stream. */

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { toBinanceProduct } from '#domain/market/catalogue/binance-products.ts';
import {
  KLINE_INTERVALS,
  klineStreamName,
  MAX_KLINES,
  productIdOf,
  toKlineEvent,
  toKlineRow,
} from '#domain/market/codecs/binance-klines.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { candleFeed } from '../../candle-feed.ts';
import { type DialectParts, type OpenDialect, refuseUpgrade } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { type VenueListing, venueListing } from '../../products/venue-listing.ts';
import { candlesBack, candlesForward } from '../../recording/candle-scan.ts';
import { type Line, openLines } from '../../simulation/lines.ts';

export const binanceDialect: OpenDialect = (parts) => {
  const { clock } = parts;
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'crypto');
  const products = venueListing({ ...parts, venue: 'binance', idOf: productIdOf });
  const streams = openKlineStreams({ ...parts, listing }, products);
  return {
    name: 'binance',
    answer({ path, query }) {
      const { status, body, weight } = answerRest(path, query, products, clock.nowMs());
      return { status, body, headers: { 'x-request-weight': String(weight) } };
    },
    ...streams,
  };
};

const DEFAULT_LIMIT = 500;

export interface WeighedAnswer {
  status: number;
  body: unknown;
  /** Request weight by the venue's table. */
  weight: number;
}

function answerRest(path: string, query: URLSearchParams, listing: VenueListing, nowMs: number): WeighedAnswer {
  if (path === '/fapi/v1/ping') return { status: 200, body: {}, weight: 1 };
  if (path === '/fapi/v1/time') return { status: 200, body: { serverTime: nowMs }, weight: 1 };
  if (path === '/fapi/v1/exchangeInfo') {
    const symbols = listing.markets().map(toBinanceProduct);
    return { status: 200, body: { timezone: 'UTC', serverTime: nowMs, symbols }, weight: 1 };
  }
  if (path === '/fapi/v1/klines') return answerKlines(query, listing, nowMs);
  return { status: 404, body: { code: -5000, msg: `Path ${path.slice(0, 100)}, Method GET is invalid` }, weight: 0 };
}

function answerKlines(query: URLSearchParams, listing: VenueListing, nowMs: number): WeighedAnswer {
  for (const name of ['symbol', 'interval']) {
    if (!query.get(name)) {
      return refuse(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
    }
  }
  const listed = listing.find(query.get('symbol') ?? '');
  if (listed === undefined) return refuse(-1121, 'Invalid symbol.');
  const timeframe = TIMEFRAMES.find((known) => KLINE_INTERVALS[known] === query.get('interval'));
  if (timeframe === undefined) return refuse(-1120, 'Invalid interval.');
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_KLINES) {
    return refuse(-1130, "Data sent for parameter 'limit' is not valid.");
  }
  for (const name of ['startTime', 'endTime']) {
    if (query.has(name) && !/^[0-9]{1,20}$/.test(query.get(name) ?? '')) {
      return refuse(-1100, `Illegal characters found in parameter '${name}'; legal range is '^[0-9]{1,20}$'.`);
    }
  }
  const [startTime, endTime] = [query.get('startTime'), query.get('endTime')];
  const stretch = { limit, timeframe, ...(endTime === null ? {} : { toS: Number(endTime) / 1000 }) };
  const seen =
    startTime === null
      ? candlesBack(listed, stretch, nowMs).reverse()
      : candlesForward(listed, { ...stretch, fromS: Number(startTime) / 1000 }, nowMs);
  const rows = seen.map(({ candle }) => toKlineRow(candle, timeframe));
  return { status: 200, body: rows, weight: klinesWeight(limit) };
}

function klinesWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

function refuse(code: number, msg: string): WeighedAnswer {
  return { status: 400, body: { code, msg }, weight: 1 };
}

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

function openKlineStreams(parts: DialectParts, products: VenueListing): KlineStreams {
  const lines = openLines('binance', parts);
  const listed = new Set(parts.listing);
  const watched = (readers: Iterable<Reader>) => {
    const streams = new Set([...readers].flatMap((reader) => [...reader.streams]));
    const ids = new Set([...streams].map((stream) => stream.slice(0, stream.indexOf('@')).toUpperCase()));
    return [...ids].flatMap((id) => products.find(id) ?? []).filter((one) => !listed.has(one));
  };
  const feed = candleFeed<Reader>({ ...parts, watched }, send);

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
  const request = parsedJson(text);
  if (request === undefined) return { error: { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' } };
  const parsed = requestSchema.safeParse(request);
  if (!parsed.success) return { error: { code: 2, msg: 'Invalid request: unknown variant' } };
  for (const stream of parsed.data.params) {
    if (parsed.data.method === 'UNSUBSCRIBE') reader.streams.delete(stream);
    else if (reader.streams.size < MAX_STREAMS) reader.streams.add(stream);
  }
  return { result: null, id: parsed.data.id ?? null };
}
