/**
 * Yahoo's chart endpoint, interval 1m: columns with nulls for minutes without trades; the running minute is last, at an
 * odd second. Stocks are live, futures ten minutes late.
 */

import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { toYahooChart, type YahooRow, yahooSymbolOf } from '#domain/market/codecs/yahoo-chart.ts';
import { zoneOffsetS } from '#domain/time/zone-offset.ts';
import type { DialectAnswer, DialectRequest, OpenDialect } from '../../dialect.ts';
import type { ListedSymbol } from '../../market-sources.ts';
import { candleSeenAt, runningMinuteS } from '../../market-time.ts';
import { readWhole } from '../request-values.ts';

const NAME = 'yahoo';
const PATH = '/v8/finance/chart/';
const FUTURES_LAG_MS = 600_000;
const DAY_S = 86_400;
const MAX_CALL_S = 8 * DAY_S;
const HISTORY_S = 30 * DAY_S;

export const yahooDialect: OpenDialect = ({ listing, clock }) => {
  const charts = new Map(listing.map((listed) => [yahooSymbolOf(listed.symbol) ?? '', listed]));
  charts.delete('');
  return { name: NAME, answer: (request) => answerChart(request, charts, clock.nowMs()) };
};

function answerChart(
  { path, query }: DialectRequest,
  charts: ReadonlyMap<string, ListedSymbol>,
  nowMs: number,
): DialectAnswer {
  const name = path.startsWith(PATH) ? decoded(path.slice(PATH.length)) : '';
  const listed = charts.get(name);
  if (listed === undefined) return refuse(404, 'Not Found', 'No data found, symbol may be delisted');
  if (query.get('interval') !== '1m')
    return refuse(422, 'Unprocessable Entity', 'The sandbox answers interval 1m alone.');
  const lagMs = listed.symbol.assetClass === 'equity' ? 0 : FUTURES_LAG_MS;
  const seenMs = nowMs - lagMs;
  const span = spanOf(query, nowMs / 1000);
  if (span === null) return refuse(400, 'Bad Request', 'Invalid input - period1, period2 or range');
  if (span.toS - span.fromS > MAX_CALL_S || span.fromS < nowMs / 1000 - HISTORY_S) {
    const asked = `startTime=${span.fromS} and endTime=${span.toS}`;
    const limit = 'Only 8 days worth of 1m granularity data are allowed to be fetched per request.';
    return refuse(422, 'Unprocessable Entity', `1m data not available for ${asked}. ${limit}`);
  }
  const rows = rowsOf(listed, span, seenMs);
  return { status: 200, body: toYahooChart(name, rows, zoneOffsetS('America/New_York', nowMs / 1000)) };
}

/** `range=7d`, or `period1` and `period2` in seconds, the latter exclusive; null for anything else. */
function spanOf(query: URLSearchParams, nowS: number): { fromS: number; toS: number } | null {
  const { period1, period2 } = readWhole(query, ['period1', 'period2']);
  if (period1 !== undefined && period2 !== undefined) {
    return period1 < period2 ? { fromS: period1, toS: period2 } : null;
  }
  const days = /^([1-8])d$/.exec(query.get('range') ?? '1d')?.[1];
  return days === undefined ? null : { fromS: nowS - Number(days) * DAY_S, toS: nowS };
}

function rowsOf(listed: ListedSymbol, { fromS, toS }: { fromS: number; toS: number }, seenMs: number): YahooRow[] {
  const rows: YahooRow[] = [];
  const runningS = runningMinuteS(seenMs);
  const firstS = Math.ceil(fromS / MINUTE_S) * MINUTE_S;
  for (let timeS = firstS; timeS <= runningS && timeS < toS; timeS += MINUTE_S) {
    const candle = candleSeenAt(listed, timeS, seenMs);
    if (candle === null && !isOpen(listed.symbol.hours, timeS)) continue;
    // The running minute's time is the second of its last trade.
    rows.push({ timeS: timeS === runningS ? Math.max(timeS, Math.floor(seenMs / 1000)) : timeS, candle });
  }
  return rows;
}

function refuse(status: number, code: string, description: string): DialectAnswer {
  return { status, body: { chart: { result: null, error: { code, description } } } };
}

/** Empty for an invalid encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign names no symbol, and is refused as any unknown symbol.
    return '';
  }
}
