/** Bybit v5, linear perpetuals: klines, REST and stream. Refusals are a 200 with a `retCode`. */

import * as z from 'zod/mini';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { toBybitProduct } from '#domain/market/catalogue/bybit-products.ts';
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
import { type VenueListing, venueListing } from '../../products/venue-listing.ts';
import { candlesBack } from '../../recording/candle-scan.ts';
import { readWhole } from '../request-values.ts';
import { type Topics, topicStream } from '../topic-stream.ts';

const NAME = 'bybit';
const DEFAULT_LIMIT = 200;
const PARAMS_ERROR = 10001;
const MAX_TOPICS = 100;
const DEFAULT_PAGE = 500;
const MAX_PAGE = 1000;

export const bybitDialect: OpenDialect = (parts) => {
  const listing = parts.listing.filter((listed) => listed.symbol.assetClass === 'crypto');
  const products = venueListing({ ...parts, venue: NAME, idOf: bybitProductIdOf });
  const stream = topicStream(
    NAME,
    { ...parts, listing },
    {
      path: '/v5/public/linear',
      productIdOf: (listed) => bybitProductIdOf(listed.symbol),
      find: products.find,
      frame: toBybitFrame,
      answer: (text, topics) => [answerText(text, topics, products)],
    },
  );
  return { name: NAME, answer: (request) => answerRest(request, products, parts.clock.nowMs()), ...stream };
};

function answerRest({ path, query }: DialectRequest, products: VenueListing, nowMs: number): DialectAnswer {
  const reply = (retCode: number, retMsg: string, result: object): DialectAnswer => ({
    status: 200,
    body: { retCode, retMsg, result, retExtInfo: {}, time: nowMs },
  });
  if (path === '/v5/market/time')
    return reply(0, 'OK', { timeSecond: String(Math.floor(nowMs / 1000)), timeNano: `${nowMs}000000` });
  if (path === '/v5/market/instruments-info') {
    if (query.get('category') !== 'linear') return reply(PARAMS_ERROR, 'Illegal category', {});
    return reply(0, 'OK', pageOf(products.markets().map(toBybitProduct), query));
  }
  if (path !== '/v5/market/kline') return { status: 404, body: '404 page not found' };

  const symbol = query.get('symbol') ?? '';
  const listed = products.find(symbol);
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

/** A cursor is the number of rows before the page. */
function pageOf(rows: readonly object[], query: URLSearchParams): object {
  const { limit = DEFAULT_PAGE, cursor = 0 } = readWhole(query, ['limit', 'cursor']);
  const end = cursor + Math.min(MAX_PAGE, limit);
  const nextPageCursor = end < rows.length ? String(end) : '';
  return { category: 'linear', list: rows.slice(cursor, end), nextPageCursor };
}

const requestSchema = z.object({
  op: z.string(),
  req_id: z.optional(z.string()),
  args: z.optional(z.array(z.string()).check(z.maxLength(MAX_TOPICS))),
});

function answerText(text: string, topics: Topics, products: VenueListing): object {
  const request = requestSchema.safeParse(parsedJson(text));
  const { op, req_id = '', args = [] } = request.success ? request.data : { op: '' };
  const acknowledge = (success: boolean, ret_msg: string) => ({ success, ret_msg, conn_id: 'sandbox', req_id, op });
  if (op === 'ping') return acknowledge(true, 'pong');
  if (op !== 'subscribe' && op !== 'unsubscribe') return acknowledge(false, 'error:unknown op');
  const ids = args.map((topic) => topic.slice(bybitTopic('').length));
  const unknown = args.find((topic, i) => bybitTopic(ids[i] ?? '') !== topic || !products.find(ids[i] ?? ''));
  if (unknown !== undefined) return acknowledge(false, `error:handler not found,topic:${unknown.slice(0, 100)}`);
  const refused = op === 'subscribe' && ids.find((id) => topics.refuses(id));
  if (refused) return acknowledge(false, `Invalid symbol :[${bybitTopic(refused)}]`);
  for (const id of ids) {
    if (op === 'subscribe') topics.add(id);
    else topics.remove(id);
  }
  return acknowledge(true, '');
}
