/** Binance USD-M's REST API: ping, time and one-minute klines. */
import { MAX_KLINES, toKlineRow } from '#domain/market/codecs/binance-klines.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { candlesBack, candlesForward } from '../../recording/candle-scan.ts';

const DEFAULT_LIMIT = 500;

export interface RestAnswer {
  status: number;
  body: unknown;
  /** Request weight by the venue's table. */
  weight: number;
}

export function answerRest(
  path: string,
  query: URLSearchParams,
  listing: ReadonlyMap<string, ListedSymbol>,
  nowMs: number,
): RestAnswer {
  if (path === '/fapi/v1/ping') return { status: 200, body: {}, weight: 1 };
  if (path === '/fapi/v1/time') return { status: 200, body: { serverTime: nowMs }, weight: 1 };
  if (path === '/fapi/v1/klines') return answerKlines(query, listing, nowMs);
  return { status: 404, body: { code: -5000, msg: `Path ${path.slice(0, 100)}, Method GET is invalid` }, weight: 0 };
}

function answerKlines(query: URLSearchParams, listing: ReadonlyMap<string, ListedSymbol>, nowMs: number): RestAnswer {
  for (const name of ['symbol', 'interval']) {
    if (!query.get(name)) {
      return refuse(-1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`);
    }
  }
  const listed = listing.get(query.get('symbol') ?? '');
  if (listed === undefined) return refuse(-1121, 'Invalid symbol.');
  if (query.get('interval') !== '1m') return refuse(-1120, 'Invalid interval.');
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
  const stretch = { limit, ...(endTime === null ? {} : { toS: Number(endTime) / 1000 }) };
  const seen =
    startTime === null
      ? candlesBack(listed, stretch, nowMs).reverse()
      : candlesForward(listed, { ...stretch, fromS: Number(startTime) / 1000 }, nowMs);
  const rows = seen.map(({ candle }) => toKlineRow(candle));
  return { status: 200, body: rows, weight: klinesWeight(limit) };
}

function klinesWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

function refuse(code: number, msg: string): RestAnswer {
  return { status: 400, body: { code, msg }, weight: 1 };
}
