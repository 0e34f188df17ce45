/** Alpaca's feed `iex`. The stream requires a key first, one connection per key. Neither side has open bars. */

import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { ALPACA_TIMEFRAMES, MAX_ALPACA_BARS, toAlpacaBar, toAlpacaFrame } from '#domain/market/codecs/alpaca-bars.ts';
import type { SeenCandle } from '#domain/market/codecs/candle-rows.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { candleFeed } from '../../candle-feed.ts';
import {
  type DialectAnswer,
  type DialectParts,
  type DialectRequest,
  type OpenDialect,
  refuseUpgrade,
} from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { candlesBack, candlesForward } from '../../recording/candle-scan.ts';
import { type Line, type LineEnds, openLines } from '../../simulation/lines.ts';

const NAME = 'alpaca';
const KEY_ID = 'sandbox';
const SECRET = 'sandbox';
const DEFAULT_LIMIT = 1000;
const AUTH_LIMIT_MS = 10_000;

type Shares = ReadonlyMap<string, ListedSymbol>;

export const alpacaDialect: OpenDialect = (parts) => {
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'equity');
  const shares: Shares = new Map(listing.map((listed) => [listed.productId, listed]));
  const answer = (request: DialectRequest): DialectAnswer => answerBars(request, shares, parts.clock.nowMs());
  return { name: NAME, answer, ...barStream({ ...parts, listing }, shares) };
};

function answerBars({ path, query, headers }: DialectRequest, shares: Shares, nowMs: number): DialectAnswer {
  const refuse = (status: number, message: string): DialectAnswer => ({ status, body: { message } });
  if (headers['apca-api-key-id'] !== KEY_ID || headers['apca-api-secret-key'] !== SECRET)
    return refuse(403, 'forbidden.');
  if (path !== '/v2/stocks/bars') return refuse(404, 'endpoint not found.');
  const [sym = '', ...others] = (query.get('symbols') ?? '').split(',');
  if (sym === '') return refuse(400, 'symbols is required');
  // The product requests only one symbol a call.
  if (others.length > 0) return refuse(400, 'the sandbox supports one symbol per call');
  const timeframe = TIMEFRAMES.find((known) => ALPACA_TIMEFRAMES[known] === query.get('timeframe'));
  if (timeframe === undefined) return refuse(400, 'invalid timeframe');
  if ((query.get('feed') ?? 'sip') !== 'iex')
    return refuse(403, 'subscription does not permit querying recent SIP data');
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ALPACA_BARS) return refuse(400, 'invalid limit');
  const isDescending = query.get('sort') === 'desc';
  const fromS = timeS(query.get('start')) ?? Math.floor(nowMs / 86_400_000) * 86_400;
  const toS = timeS(query.get('end')) ?? nowMs / 1000;
  if (Number.isNaN(fromS) || Number.isNaN(toS)) return refuse(400, 'invalid start or end');

  const listed = shares.get(sym);
  if (listed === undefined) return { status: 200, body: { bars: {}, next_page_token: null } };
  const stretch = pagedStretch({ fromS, toS }, query.get('page_token'), isDescending);
  if (stretch === null) return refuse(400, 'invalid page_token');
  // Scans two more: one shows whether there is another page, and the running minute is not a bar yet.
  const scan = isDescending ? candlesBack : candlesForward;
  const found = scan(listed, { ...stretch, timeframe, limit: limit + 2 }, nowMs).filter((seen) => seen.isClosed);
  const bars = found.slice(0, limit).map((seen) => toAlpacaBar(seen.candle));
  const last = found[limit - 1];
  const token = found.length > limit && last !== undefined ? pageToken(sym, last) : null;
  return { status: 200, body: { bars: bars.length === 0 ? {} : { [sym]: bars }, next_page_token: token } };
}

/** Null for an absent time, NaN for an invalid one. */
function timeS(text: string | null): number | null {
  return text === null ? null : Date.parse(text) / 1000;
}

/** The last bar of the previous page, as in the real service's tokens. */
function pageToken(sym: string, { candle }: SeenCandle): string {
  return btoa(`${sym}|M|${candle.time}`);
}

function pagedStretch(span: { fromS: number; toS: number }, token: string | null, isDescending: boolean) {
  if (token === null) return span;
  // Unlike atob, skips invalid characters instead of throwing.
  const last = /\|M\|(\d{1,11})$/.exec(Buffer.from(token, 'base64').toString('latin1'))?.[1];
  if (last === undefined) return null;
  const lastS = Number(last);
  return isDescending ? { ...span, toS: lastS - 1 } : { ...span, fromS: lastS + 1 };
}

const requestSchema = z.object({
  action: z.enum(['auth', 'subscribe', 'unsubscribe']),
  key: z.optional(z.string()),
  secret: z.optional(z.string()),
  bars: z.optional(z.array(z.string()).check(z.maxLength(1000))),
});

interface Reader {
  line: Line;
  isAuthenticated: boolean;
  bars: Set<string>;
}

function barStream(parts: DialectParts, shares: Shares) {
  const lines = openLines(NAME, parts);
  const feed = candleFeed<Reader>(parts, ({ line, bars }, { productId }, seen) => {
    if (seen.isClosed && bars.has(productId)) line.send(toAlpacaFrame(productId, seen), { productId });
  });

  function open(line: Line): LineEnds {
    const reader: Reader = { line, isAuthenticated: false, bars: new Set() };
    const late = setTimeout(() => {
      if (!reader.isAuthenticated) line.send([{ T: 'error', code: 404, msg: 'auth timeout' }]);
      if (!reader.isAuthenticated) line.close();
    }, AUTH_LIMIT_MS).unref();
    feed.join(reader);
    line.send([{ T: 'success', msg: 'connected' }]);
    return {
      onText: (text) => line.send([answer(reader, text)]),
      onClose() {
        clearTimeout(late);
        feed.leave(reader);
      },
    };
  }

  function answer(reader: Reader, text: string): object {
    const error = (code: number, msg: string): object => ({ T: 'error', code, msg });
    const request = requestSchema.safeParse(parsedJson(text));
    if (!request.success) return error(400, 'invalid syntax');
    const { action, key, secret, bars = [] } = request.data;
    if (action === 'auth') {
      if (reader.isAuthenticated) return error(403, 'already authenticated');
      if (key !== KEY_ID || secret !== SECRET) return error(402, 'auth failed');
      if ([...feed.readers].some((other) => other.isAuthenticated)) return error(406, 'connection limit exceeded');
      reader.isAuthenticated = true;
      return { T: 'success', msg: 'authenticated' };
    }
    if (!reader.isAuthenticated) return error(401, 'not authenticated');
    for (const sym of bars.filter((s) => shares.has(s))) {
      if (action === 'unsubscribe') reader.bars.delete(sym);
      else if (reader.line.refuses(sym)) return error(405, 'symbol limit exceeded');
      else reader.bars.add(sym);
    }
    const none = { trades: [], quotes: [], updatedBars: [], dailyBars: [], statuses: [], lulds: [] };
    return { T: 'subscription', ...none, bars: [...reader.bars] };
  }

  return {
    accept(...upgrade: Parameters<NonNullable<ReturnType<OpenDialect>['accept']>>) {
      const [request, socket, head] = upgrade;
      if (request.url === '/v2/iex') lines.accept(request, socket, head, open);
      else refuseUpgrade(socket);
    },
    cutAll: lines.cutAll,
    async close() {
      feed.close();
      await lines.close();
    },
  };
}
