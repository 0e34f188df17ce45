/**
 * Yahoo's chart response, interval 1m: columns beside a list of opening seconds. A minute without trades has nulls, the
 * current one is last and starts at an odd second, and prices carry the noise of single precision.
 */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { type Candle, isWellFormed, MINUTE_S } from '../candle.ts';
import type { MarketSymbol } from '../symbols.ts';
import { type CandleRows, isOver, readCandleRows } from './candle-rows.ts';

/** Maximum days per call, and how many days of one-minute candles Yahoo stores. */
export const YAHOO_CALL_DAYS = 7;
export const YAHOO_HISTORY_DAYS = 29;

const SYMBOLS_THERE: ReadonlyMap<string, string> = new Map([
  ['MSFT', 'MSFT'],
  ['AAPL', 'AAPL'],
  ['TSLA', 'TSLA'],
  ['GC1!', 'GC=F'],
  ['DX1!', 'DX=F'],
  ['CL1!', 'CL=F'],
]);

/** Null for symbols we do not request here: crypto has its own venues. */
export function yahooSymbolOf(symbol: Pick<MarketSymbol, 'sym'>): string | null {
  return SYMBOLS_THERE.get(symbol.sym) ?? null;
}

const MAX_ROWS = 12_000;
/** Significant digits of single precision. */
const PRECISION = 7;

const column = z.array(z.unknown());
const quoteSchema = z.object({ open: column, high: column, low: column, close: column, volume: column });
const resultSchema = z.object({
  timestamp: z.optional(z.array(z.number()).check(z.maxLength(MAX_ROWS))),
  indicators: z.object({ quote: z.array(z.unknown()) }),
});
const answerSchema = z.object({ chart: z.object({ result: z.array(resultSchema).check(z.minLength(1)) }) });

/**
 * Parses candles of GET /v8/finance/chart/{symbol}; skips minutes without trades and the current one, uncounted.
 * @param asOfMs  a candle that is not over by then is open
 * @throws AppError `venue/unavailable` when the response is not a chart
 */
export function parseYahooChart(answer: unknown, asOfMs: number): CandleRows {
  const [chart] = answerSchema.safeParse(answer).data?.chart.result ?? [];
  const timesS = chart?.timestamp ?? [];
  const quote = quoteSchema.safeParse(chart?.indicators.quote[0] ?? {});
  if (chart === undefined || (timesS.length > 0 && !quote.success)) {
    throw new AppError('venue/unavailable', { details: { reason: 'no chart' } });
  }
  // A stretch without trades has neither times nor columns.
  if (!quote.success) return { seen: [], rows: 0, malformed: 0 };
  const { open, high, low, close, volume } = quote.data;
  const rows = timesS.flatMap((time, i): Row[] => {
    const figures = [open[i], high[i], low[i], close[i]];
    const isEmpty = figures.every((figure) => figure === null || figure === undefined);
    return isEmpty || time % MINUTE_S !== 0 ? [] : [{ time, figures, volume: volume[i] }];
  });
  return readCandleRows(rows, MAX_ROWS, (row) => {
    const candle = parseRow(row);
    return candle === null ? null : { candle, isClosed: isOver(candle.time * 1000, asOfMs) };
  });
}

interface Row {
  time: number;
  figures: readonly unknown[];
  volume: unknown;
}

const rowSchema = z.object({
  time: z.int(),
  figures: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  volume: z.nullish(z.number()),
});

function parseRow(row: unknown): Candle | null {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return null;
  const { time, volume } = parsed.data;
  const [open, high, low, close] = parsed.data.figures.map((price) => Number(price.toPrecision(PRECISION)));
  if (open === undefined || high === undefined || low === undefined || close === undefined) return null;
  const candle = { time, open, high, low, close, ...(typeof volume === 'number' ? { volume } : {}) };
  return isWellFormed(candle) ? candle : null;
}

/** One minute of a chart; null without trades. */
export interface YahooRow {
  timeS: number;
  candle: Candle | null;
}

/** The chart response for rows in order. */
export function toYahooChart(symbol: string, rows: readonly YahooRow[], gmtoffset: number): object {
  const of = (pick: (candle: Candle) => number | undefined): (number | null)[] =>
    rows.map(({ candle }) => (candle === null ? null : (pick(candle) ?? 0)));
  const quote = {
    open: of((c) => c.open),
    high: of((c) => c.high),
    low: of((c) => c.low),
    close: of((c) => c.close),
    volume: of((c) => c.volume),
  };
  const last = rows.findLast(({ candle }) => candle !== null);
  const meta = {
    currency: 'USD',
    symbol,
    regularMarketTime: last?.timeS ?? 0,
    regularMarketPrice: last?.candle?.close ?? 0,
    gmtoffset,
    exchangeTimezoneName: 'America/New_York',
    dataGranularity: '1m',
    range: '',
  };
  const timestamp = rows.length === 0 ? {} : { timestamp: rows.map(({ timeS }) => timeS) };
  return {
    chart: { result: [{ meta, ...timestamp, indicators: { quote: [rows.length === 0 ? {} : quote] } }], error: null },
  };
}
