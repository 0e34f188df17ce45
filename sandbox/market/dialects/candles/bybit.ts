/** Bybit v5, linear perpetuals: klines, REST and stream. Refusals are a 200 with a `retCode`. */

import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import {
  BYBIT_INTERVALS,
  bybitProductIdOf,
  bybitTopic,
  MAX_BYBIT_KLINES,
  toBybitFrame,
  toBybitRow,
} from '#domain/market/codecs/bybit-klines.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { DialectAnswer, DialectRequest, OpenDialect } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { candlesBack } from '../../recording/candle-scan.ts';
import { readWhole } from '../request-values.ts';
import { type Topics, topicStream } from '../topic-stream.ts';

const NAME = 'bybit';
const DEFAULT_LIMIT = 200;
const PARAMS_ERROR = 10001;
const MAX_TOPICS = 100;

type Products = ReadonlyMap<string, ListedSymbol>;

export const bybitDialect: OpenDialect = (parts) => {
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'crypto');
  const products: Products = new Map(listing.map((listed) => [bybitProductIdOf(listed.symbol), listed]));
  const stream = topicStream(
    NAME,
    { ...parts, listing },
    {
      path: '/v5/public/linear',
      productIdOf: (listed) => bybitProductIdOf(listed.symbol),
      frame: toBybitFrame,
      answer: (text, topics) => [answerText(text, topics, products)],
    },
  );
  return { name: NAME, answer: (request) => answerRest(request, products, parts.clock.nowMs()), ...stream };
};

function answerRest({ path, query }: DialectRequest, products: Products, nowMs: number): DialectAnswer {
  const reply = (retCode: number, retMsg: string, result: object): DialectAnswer => ({
    status: 200,
    body: { retCode, retMsg, result, retExtInfo: {}, time: nowMs },
  });
  if (path === '/v5/market/time')
    return reply(0, 'OK', { timeSecond: String(Math.floor(nowMs / 1000)), timeNano: `${nowMs}000000` });
  if (path !== '/v5/market/kline') return { status: 404, body: '404 page not found' };

  const symbol = query.get('symbol') ?? '';
  const listed = products.get(symbol);
  if (query.get('category') !== 'linear') return reply(PARAMS_ERROR, 'Illegal category', {});
  if (listed === undefined) return reply(PARAMS_ERROR, 'Not supported symbols', {});
  const timeframe = TIMEFRAMES.find((known) => BYBIT_INTERVALS[known] === query.get('interval'));
  if (timeframe === undefined) return reply(PARAMS_ERROR, 'Invalid period!', {});
  const { limit = DEFAULT_LIMIT, start, end } = readWhole(query, ['limit', 'start', 'end']);
  const isBad = [limit, start, end].some(Number.isNaN) || limit < 1 || limit > MAX_BYBIT_KLINES;
  if (isBad) return reply(PARAMS_ERROR, 'Request parameter error.', {});
  const from = start === undefined ? {} : { fromS: start / 1000 };
  const to = end === undefined ? {} : { toS: end / 1000 };
  const list = candlesBack(listed, { limit, timeframe, ...from, ...to }, nowMs).map(({ candle }) => toBybitRow(candle));
  return reply(0, 'OK', { symbol, category: 'linear', list });
}

const requestSchema = z.object({
  op: z.string(),
  req_id: z.optional(z.string()),
  args: z.optional(z.array(z.string()).check(z.maxLength(MAX_TOPICS))),
});

function answerText(text: string, topics: Topics, products: Products): object {
  const request = requestSchema.safeParse(parsedJson(text));
  const { op, req_id = '', args = [] } = request.success ? request.data : { op: '' };
  const acknowledge = (success: boolean, ret_msg: string) => ({ success, ret_msg, conn_id: 'sandbox', req_id, op });
  if (op === 'ping') return acknowledge(true, 'pong');
  if (op !== 'subscribe' && op !== 'unsubscribe') return acknowledge(false, 'error:unknown op');
  const ids = [...products.keys()];
  const unknown = args.find((topic) => !ids.some((id) => bybitTopic(id) === topic));
  if (unknown !== undefined) return acknowledge(false, `error:handler not found,topic:${unknown.slice(0, 100)}`);
  const named = ids.filter((id) => args.includes(bybitTopic(id)));
  const refused = op === 'subscribe' && named.find((id) => topics.refuses(id));
  if (refused) return acknowledge(false, `Invalid symbol :[${bybitTopic(refused)}]`);
  for (const id of named) {
    if (op === 'subscribe') topics.add(id);
    else topics.remove(id);
  }
  return acknowledge(true, '');
}
