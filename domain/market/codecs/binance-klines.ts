/**
 * Binance USD-M klines: parses REST rows and stream messages into candles, and formats them for the sandbox market.
 * Prices are decimal strings; the last REST row may still be open.
 */

import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { type Candle, isBarOver, MINUTE_S } from '../candle.ts';
import type { MarketSymbol } from '../symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../timeframes.ts';
import { type CandleFrame, type CandleRows, readCandleRows, type SeenCandle, toCandle } from './candle-rows.ts';
import { decimalText } from './decimal-text.ts';
import { optionalField } from './optional-field.ts';

export const MAX_KLINES = 1500;
/** Parameter `interval`. */
export const KLINE_INTERVALS: Readonly<Record<Timeframe, string>> = { '1min': '1m', '5min': '5m', '15min': '15m' };

/** The venue's symbol name: BTCUSDT for BTCUSDT.P. It lists only the perpetuals. */
export function productIdOf(symbol: Pick<MarketSymbol, 'sym'>): string {
  return symbol.sym.replace(/\.P$/, '').replace(/!$/, '');
}

export function klineStreamName(productId: string): string {
  return `${productId.toLowerCase()}@kline_1m`;
}

const refusalSchema = z.object({ code: z.int().check(z.negative()), msg: optionalField(z.string()) });

/** Usually with an error status too. Null for a successful response, or one that isn't Binance's. */
export function binanceRefusal(answer: unknown): { code: number; text: string } | null {
  const refusal = refusalSchema.safeParse(answer);
  return refusal.success ? { code: refusal.data.code, text: refusal.data.msg ?? '' } : null;
}

const minuteMs = z.int().check(z.nonnegative(), z.multipleOf(MINUTE_S * 1000));

/** @param asOfMs  the venue's time before the request: what had ended by then is final @throws AppError */
export function parseKlines(answer: unknown, asOfMs: number, timeframe: Timeframe = DEFAULT_TIMEFRAME): CandleRows {
  if (!Array.isArray(answer)) throw new AppError('venue/unavailable', { details: { reason: 'not a list of klines' } });
  return readCandleRows(answer, MAX_KLINES, (row) => parseRow(row, asOfMs, barSecondsOf(timeframe)));
}

/** `[openMs, o, h, l, c, v, closeMs, ...]`; the rest is ignored. */
function parseRow(row: unknown, asOfMs: number, barS: number): SeenCandle | null {
  if (!Array.isArray(row)) return null;
  const [openMs, o, h, l, c, v, closeMs]: unknown[] = row;
  if (typeof openMs !== 'number' || !isBar(openMs, closeMs, barS)) return null;
  const candle = toCandle(openMs, { o, h, l, c, v });
  return candle === null ? null : { candle, isClosed: isBarOver(openMs, asOfMs, barS) };
}

/** False for a row of another interval. */
function isBar(openMs: number, closeMs: unknown, barS: number): boolean {
  return openMs % (barS * 1000) === 0 && closeMs === openMs + barS * 1000 - 1;
}

const messageSchema = z.object({
  e: z.literal('kline'),
  /** Event time by the venue's clock. */
  E: z.int().check(z.nonnegative()),
  s: z.string(),
  k: z.object({
    t: minuteMs,
    T: z.int(),
    i: z.literal('1m'),
    o: z.string(),
    h: z.string(),
    l: z.string(),
    c: z.string(),
    v: z.string(),
    x: z.boolean(),
  }),
});
const combinedSchema = z.object({ stream: z.string(), data: z.unknown() });
const eventNameSchema = z.object({ e: z.string() });

export function parseKlineFrame(text: string): CandleFrame {
  const frame = parsedJson(text);
  // A truncated frame is a malformed message like any other: the caller counts it.
  if (frame === undefined) return { kind: 'malformed' };
  const combined = combinedSchema.safeParse(frame);
  const event = combined.success ? combined.data.data : frame;
  const name = eventNameSchema.safeParse(event);
  if (!name.success || name.data.e !== 'kline') return { kind: 'ignored' };
  const parsed = messageSchema.safeParse(event);
  if (!parsed.success) return { kind: 'malformed' };
  const { E: eventMs, s: productId, k } = parsed.data;
  const candle = isBar(k.t, k.T, MINUTE_S) ? toCandle(k.t, k) : null;
  if (candle === null) return { kind: 'malformed' };
  return { kind: 'candles', productId, seen: [{ candle, isClosed: k.x }], malformed: 0, eventMs };
}

export const serverTimeSchema = z.object({ serverTime: z.int().check(z.nonnegative(), z.lt(1e14)) });

/** GET /fapi/v1/time in milliseconds. @throws AppError `venue/unavailable` */
export function parseServerTime(answer: unknown): number {
  const parsed = serverTimeSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'no server time' } });
  return parsed.data.serverTime;
}

/** A REST row of a candle in the venue's format. Trade counts and taker shares are not stored, so they are 0. */
export function toKlineRow(candle: Candle, timeframe: Timeframe = DEFAULT_TIMEFRAME): readonly (number | string)[] {
  const openMs = candle.time * 1000;
  const volume = candle.volume ?? 0;
  return [
    openMs,
    decimalText(candle.open),
    decimalText(candle.high),
    decimalText(candle.low),
    decimalText(candle.close),
    decimalText(volume),
    openMs + barSecondsOf(timeframe) * 1000 - 1,
    decimalText(Number((volume * candle.close).toPrecision(12))),
    0,
    '0',
    '0',
    '0',
  ];
}

export function toKlineEvent(productId: string, candle: Candle, isClosed: boolean, eventMs: number): object {
  const openMs = candle.time * 1000;
  const volume = candle.volume ?? 0;
  return {
    e: 'kline',
    E: eventMs,
    s: productId,
    k: {
      t: openMs,
      T: openMs + MINUTE_S * 1000 - 1,
      s: productId,
      i: '1m',
      f: 0,
      L: 0,
      o: decimalText(candle.open),
      c: decimalText(candle.close),
      h: decimalText(candle.high),
      l: decimalText(candle.low),
      v: decimalText(volume),
      n: 0,
      x: isClosed,
      q: decimalText(Number((volume * candle.close).toPrecision(12))),
      V: '0',
      Q: '0',
      B: '0',
    },
  };
}
