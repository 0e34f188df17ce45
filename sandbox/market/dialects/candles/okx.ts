/** OKX v5, USDT swaps: candles at two addresses, newest first, and the stream of the business socket. */

import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { toOkxProduct } from '#domain/market/catalogue/okx-products.ts';
import {
  MAX_OKX_CANDLES,
  OKX_BARS,
  OKX_RECENT_BARS,
  okxChannel,
  okxInstrumentIdOf,
  toOkxFrame,
  toOkxRow,
} from '#domain/market/codecs/okx-candles.ts';
import { barSecondsOf, TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { DialectAnswer, DialectRequest, OpenDialect } from '../../dialect.ts';
import { type VenueListing, venueListing } from '../../products/venue-listing.ts';
import { candlesBack } from '../../recording/candle-scan.ts';
import { readWhole } from '../request-values.ts';
import { type Topics, topicStream } from '../topic-stream.ts';

const NAME = 'okx';
const DEFAULT_LIMIT = 100;
const MAX_ARGS = 100;
const CANDLE_PATHS = new Map([
  ['/api/v5/market/candles', { isRecent: true }],
  ['/api/v5/market/history-candles', { isRecent: false }],
]);

export const okxDialect: OpenDialect = (parts) => {
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'crypto');
  const instruments = venueListing({ ...parts, venue: NAME, idOf: okxInstrumentIdOf });
  const stream = topicStream(
    NAME,
    { ...parts, listing },
    {
      path: '/ws/v5/business',
      productIdOf: (listed) => okxInstrumentIdOf(listed.symbol),
      find: instruments.find,
      frame: toOkxFrame,
      answer: (text, topics) => answerText(text, topics, instruments),
    },
  );
  return { name: NAME, answer: (request) => answerRest(request, instruments, parts.clock.nowMs()), ...stream };
};

function answerRest({ path, query }: DialectRequest, instruments: VenueListing, nowMs: number): DialectAnswer {
  const reply = (data: readonly unknown[]): DialectAnswer => ({ status: 200, body: { code: '0', msg: '', data } });
  const refuse = (code: string, msg: string): DialectAnswer => ({ status: 200, body: { code, msg, data: [] } });
  if (path === '/api/v5/public/time') return reply([{ ts: String(nowMs) }]);
  if (path === '/api/v5/public/instruments') {
    if (query.get('instType') !== 'SWAP') return refuse('51000', 'Parameter instType error');
    return reply(instruments.markets().map(toOkxProduct));
  }
  const kind = CANDLE_PATHS.get(path);
  if (kind === undefined) return { status: 404, body: { code: '404', msg: 'Not Found', data: [] } };

  const instId = query.get('instId') ?? '';
  const listed = instruments.find(instId);
  if (instId === '') return refuse('50014', 'Parameter instId can not be empty');
  if (listed === undefined) return refuse('51001', "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
  const timeframe = TIMEFRAMES.find((known) => OKX_BARS[known] === (query.get('bar') ?? OKX_BARS['1min']));
  if (timeframe === undefined) return refuse('51000', 'Parameter bar error');
  const { limit = DEFAULT_LIMIT, after, before } = readWhole(query, ['limit', 'after', 'before']);
  for (const [name, value] of Object.entries({ limit, after, before })) {
    if (Number.isNaN(value)) return refuse('51000', `Parameter ${name} error`);
  }
  if (limit < 1) return refuse('51000', 'Parameter limit error');
  // Older than `after` and newer than `before`, both exclusive.
  const barS = barSecondsOf(timeframe);
  const firstRecentS = kind.isRecent ? Math.floor(nowMs / 1000 / barS) * barS - (OKX_RECENT_BARS - 1) * barS : 0;
  const fromS = Math.max(firstRecentS, before === undefined ? 0 : before / 1000 + 0.001);
  const to = after === undefined ? {} : { toS: (after - 1) / 1000 };
  const stretch = { limit: Math.min(limit, MAX_OKX_CANDLES), timeframe, fromS, ...to };
  return reply(candlesBack(listed, stretch, nowMs).map((seen) => toOkxRow(instId, seen)));
}

const requestSchema = z.object({
  op: z.enum(['subscribe', 'unsubscribe']),
  args: z.array(z.object({ channel: z.string(), instId: z.string() })).check(z.maxLength(MAX_ARGS)),
});

function answerText(text: string, topics: Topics, instruments: VenueListing): (object | string)[] {
  if (text === 'ping') return ['pong'];
  const request = requestSchema.safeParse(parsedJson(text));
  const refuse = (msg: string) => ({ event: 'error', code: '60012', msg, connId: 'sandbox' });
  if (!request.success) return [refuse(`Invalid request: ${text.slice(0, 200)}`)];
  const { op, args } = request.data;
  return args.map((arg) => {
    const isKnown = instruments.find(arg.instId) !== undefined && arg.channel === okxChannel(arg.instId).channel;
    if (!isKnown || (op === 'subscribe' && topics.refuses(arg.instId)))
      return {
        ...refuse(`Wrong URL or channel:${arg.channel.slice(0, 50)},instId:${arg.instId.slice(0, 50)} doesn't exist.`),
        code: '60018',
      };
    if (op === 'subscribe') topics.add(arg.instId);
    else topics.remove(arg.instId);
    return { event: op, arg, connId: 'sandbox' };
  });
}
