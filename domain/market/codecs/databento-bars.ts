/**
 * Databento's historical service, schema `ohlcv-1m`: one JSON object per line, prices as whole billionths in text,
 * times as nanoseconds in text. A minute without trades has no line.
 */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { type Candle, isWellFormed, MINUTE_S } from '../candle.ts';
import type { MarketSymbol } from '../symbols.ts';
import { type CandleRows, readCandleRows } from './candle-rows.ts';
import { optionalField } from './optional-field.ts';

export const DATABENTO_SCHEMA = 'ohlcv-1m';

export interface DatabentoProduct {
  dataset: string;
  /** Continuous contract by volume, because gold's next month to expire is often barely traded. */
  symbol: string;
}

const PRODUCTS: ReadonlyMap<string, DatabentoProduct> = new Map([
  ['GC1!', { dataset: 'GLBX.MDP3', symbol: 'GC.v.0' }],
  ['CL1!', { dataset: 'GLBX.MDP3', symbol: 'CL.v.0' }],
  ['DX1!', { dataset: 'IFUS.IMPACT', symbol: 'DX.v.0' }],
]);

/** Null for symbols we do not request here. */
export function databentoProductOf(symbol: Pick<MarketSymbol, 'sym'>): DatabentoProduct | null {
  return PRODUCTS.get(symbol.sym) ?? null;
}

const isoTime = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/));
const spanSchema = z.object({ end: isoTime });
const rangeSchema = z.object({ end: isoTime, schema: optionalField(z.record(z.string(), spanSchema)) });

/** End of the candles available to this key, milliseconds, exclusive. @throws AppError `venue/unavailable` */
export function parseDatabentoEnd(answer: unknown): number {
  const range = rangeSchema.safeParse(answer);
  if (!range.success) throw new AppError('venue/unavailable', { details: { reason: 'no dataset range' } });
  return Date.parse(range.data.schema?.[DATABENTO_SCHEMA]?.end ?? range.data.end);
}

/** Rows beyond this are ignored: six weeks of a market that never closes. */
const MAX_ROWS = 60_000;
const NANOS = 1_000_000_000;
const NO_PRICE = '9223372036854775807';
/** Record type of one-minute candles. */
const OHLCV_1M = 33;

const wholeText = z.string().check(z.regex(/^\d{1,19}$/));
const lineSchema = z.object({
  hd: z.object({ ts_event: wholeText, rtype: z.literal(OHLCV_1M) }),
  open: wholeText,
  high: wholeText,
  low: wholeText,
  close: wholeText,
  volume: wholeText,
});

/** A bad record is dropped and counted. @throws SyntaxError for a truncated response */
export function parseDatabentoBars(text: string): CandleRows {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // Also accepts a list of records, as Databento's batch service writes them.
  const records = lines.flatMap((line): unknown => JSON.parse(line));
  return readCandleRows(records, MAX_ROWS, (record) => {
    const candle = parseRecord(record);
    return candle === null ? null : { candle, isClosed: true };
  });
}

function parseRecord(record: unknown): Candle | null {
  const parsed = lineSchema.safeParse(record);
  if (!parsed.success) return null;
  const { hd, open, high, low, close, volume } = parsed.data;
  if ([open, high, low, close].includes(NO_PRICE) || !hd.ts_event.endsWith('000000000')) return null;
  const price = (billionths: string): number => Number(billionths) / NANOS;
  const candle = {
    time: Number(hd.ts_event.slice(0, -9)),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: Number(volume),
  };
  return isWellFormed(candle) ? candle : null;
}

export function toDatabentoRecord(candle: Candle, instrumentId: number): object {
  const { time, open, high, low, close, volume = 0 } = candle;
  const price = (value: number): string => String(Math.round(value * NANOS));
  return {
    hd: { ts_event: `${time}000000000`, rtype: OHLCV_1M, publisher_id: 1, instrument_id: instrumentId },
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: String(Math.round(volume)),
  };
}

/** RFC 3339 time, rounded down to the minute. */
export function databentoTime(epochS: number): string {
  return `${new Date(Math.floor(epochS / MINUTE_S) * MINUTE_S * 1000).toISOString().slice(0, 19)}Z`;
}
