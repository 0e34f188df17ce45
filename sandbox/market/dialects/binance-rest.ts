/** The REST half of the sandbox market, in Binance USD-M's words: ping, time and one-minute klines. */
import { MAX_KLINES, toKlineRow } from '#domain/market/binance-klines.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { ListedSymbol } from '../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../market-time.ts';

const DEFAULT_LIMIT = 500;
/** How far back rows are looked for when a market has been closed: no holiday is longer. */
const MAX_SCAN_MIN = 45 * 1440;

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
  const startTime = query.get('startTime');
  const endS = Math.min(Number(query.get('endTime') ?? nowMs) / 1000, runningMinuteS(nowMs));
  const rows =
    startTime === null
      ? rowsBack(listed, endS, limit, nowMs)
      : rowsForward(listed, Number(startTime) / 1000, endS, limit, nowMs);
  return { status: 200, body: rows, weight: klinesWeight(limit) };
}

type Row = ReturnType<typeof toKlineRow>;

/** The last `limit` rows that open at or before `endS`, oldest first. */
function rowsBack(listed: ListedSymbol, endS: number, limit: number, nowMs: number): Row[] {
  const rows: Row[] = [];
  const newestS = Math.floor(endS / MINUTE_S) * MINUTE_S;
  const oldestS = Math.max(listed.source.firstS, newestS - MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = newestS; timeS >= oldestS && rows.length < limit; timeS -= MINUTE_S) {
    const candle = candleSeenAt(listed, timeS, nowMs);
    if (candle !== null) rows.push(toKlineRow(candle));
  }
  return rows.reverse();
}

/** The first `limit` rows that open in [startS, endS], oldest first. */
function rowsForward(listed: ListedSymbol, startS: number, endS: number, limit: number, nowMs: number): Row[] {
  const rows: Row[] = [];
  const oldestS = Math.ceil(Math.max(startS, listed.source.firstS) / MINUTE_S) * MINUTE_S;
  const newestS = Math.min(endS, oldestS + MAX_SCAN_MIN * MINUTE_S);
  for (let timeS = oldestS; timeS <= newestS && rows.length < limit; timeS += MINUTE_S) {
    const candle = candleSeenAt(listed, timeS, nowMs);
    if (candle !== null) rows.push(toKlineRow(candle));
  }
  return rows;
}

function klinesWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

function refuse(code: number, msg: string): RestAnswer {
  return { status: 400, body: { code, msg }, weight: 1 };
}
