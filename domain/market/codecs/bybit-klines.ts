/**
 * Bybit v5 klines of linear perpetuals: REST rows are newest first, every figure is text, and nothing marks the open
 * one; the stream has `confirm`. A refusal is a 200 with a nonzero `retCode`.
 */

import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { type Candle, isBarOver, MINUTE_S } from '../candle.ts';
import type { MarketSymbol } from '../symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../timeframes.ts';
import {
  type CandleFrame,
  type CandleRows,
  msOfText,
  readCandleRows,
  type SeenCandle,
  toCandle,
} from './candle-rows.ts';
import { decimalText } from './decimal-text.ts';
import { optionalField } from './optional-field.ts';

export const MAX_BYBIT_KLINES = 1000;
/** Parameter `interval`. */
export const BYBIT_INTERVALS: Readonly<Record<Timeframe, string>> = { '1min': '1', '5min': '5', '15min': '15' };

const TOPIC_START = 'kline.1.';

/** BTCUSDT for BTCUSDT.P. */
export function bybitProductIdOf(symbol: Pick<MarketSymbol, 'sym'>): string {
  return symbol.sym.replace(/\.P$/, '');
}

export function bybitTopic(productId: string): string {
  return TOPIC_START + productId;
}

/** The response's own status; 0 means success. */
const verdictSchema = z.object({ retCode: z.int(), retMsg: optionalField(z.string()) });

/** Null for a successful response, or one that isn't Bybit's. */
export function bybitRefusal(answer: unknown): { code: number; text: string } | null {
  const verdict = verdictSchema.safeParse(answer);
  if (!verdict.success || verdict.data.retCode === 0) return null;
  return { code: verdict.data.retCode, text: verdict.data.retMsg ?? '' };
}

const clockMs = z.int().check(z.nonnegative(), z.lt(1e14));
const timeSchema = z.object({ retCode: z.literal(0), time: clockMs });

/** GET /v5/market/time in milliseconds. @throws AppError `venue/unavailable` */
export function parseBybitTime(answer: unknown): number {
  const parsed = timeSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'no server time' } });
  return parsed.data.time;
}

const listSchema = z.object({ retCode: z.literal(0), result: z.object({ list: z.array(z.unknown()) }) });
/** @param asOfMs  the venue's time before the request: what had ended by then is final @throws AppError */
export function parseBybitKlines(
  answer: unknown,
  asOfMs: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): CandleRows {
  const parsed = listSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'not a list of klines' } });
  return readCandleRows(parsed.data.result.list, MAX_BYBIT_KLINES, (row) =>
    parseRow(row, asOfMs, barSecondsOf(timeframe)),
  );
}

/** `[startMs, o, h, l, c, v, turnover]`. */
function parseRow(row: unknown, asOfMs: number, barS: number): SeenCandle | null {
  if (!Array.isArray(row)) return null;
  const [start, o, h, l, c, v]: unknown[] = row;
  const openMs = msOfText(start);
  const candle = openMs % (barS * 1000) === 0 ? toCandle(openMs, { o, h, l, c, v }) : null;
  return candle === null ? null : { candle, isClosed: isBarOver(openMs, asOfMs, barS) };
}

const frameSchema = z.object({
  topic: z.string().check(z.startsWith(TOPIC_START)),
  ts: clockMs,
  data: z.array(z.unknown()).check(z.maxLength(100)),
});
const eventSchema = z.object({
  start: z.int().check(z.nonnegative()),
  interval: z.literal('1'),
  open: z.string(),
  high: z.string(),
  low: z.string(),
  close: z.string(),
  volume: z.string(),
  confirm: z.boolean(),
});
const topicSchema = z.object({ topic: z.string().check(z.startsWith(TOPIC_START)) });
const answerSchema = z.object({ success: z.literal(false), ret_msg: optionalField(z.string()) });

export function parseBybitFrame(text: string): CandleFrame {
  const frame = parsedJson(text);
  // A truncated frame is a malformed message like any other: the caller counts it.
  if (frame === undefined) return { kind: 'malformed' };
  const refusal = answerSchema.safeParse(frame);
  if (refusal.success) return { kind: 'refused', reason: refusal.data.ret_msg ?? '' };
  if (!topicSchema.safeParse(frame).success) return { kind: 'ignored' };
  const parsed = frameSchema.safeParse(frame);
  if (!parsed.success) return { kind: 'malformed' };
  const { topic, ts, data } = parsed.data;
  const { seen, malformed } = readCandleRows(data, data.length, parseEvent);
  return { kind: 'candles', productId: topic.slice(TOPIC_START.length), seen, malformed, eventMs: ts };
}

function parseEvent(event: unknown): SeenCandle | null {
  const parsed = eventSchema.safeParse(event);
  if (!parsed.success) return null;
  const { start, open: o, high: h, low: l, close: c, volume: v, confirm } = parsed.data;
  const candle = toCandle(start, { o, h, l, c, v });
  return candle === null ? null : { candle, isClosed: confirm };
}

export function toBybitRow(candle: Candle): readonly string[] {
  const { open, high, low, close, volume = 0 } = candle;
  const figures = [open, high, low, close, volume, turnoverOf(candle)].map(decimalText);
  return [String(candle.time * 1000), ...figures];
}

export function toBybitFrame(productId: string, { candle, isClosed }: SeenCandle, eventMs: number): object {
  const startMs = candle.time * 1000;
  return {
    topic: bybitTopic(productId),
    data: [
      {
        start: startMs,
        end: startMs + MINUTE_S * 1000 - 1,
        interval: '1',
        open: decimalText(candle.open),
        close: decimalText(candle.close),
        high: decimalText(candle.high),
        low: decimalText(candle.low),
        volume: decimalText(candle.volume ?? 0),
        turnover: decimalText(turnoverOf(candle)),
        confirm: isClosed,
        timestamp: eventMs,
      },
    ],
    ts: eventMs,
    type: 'snapshot',
  };
}

function turnoverOf({ close, volume = 0 }: Candle): number {
  return Number((volume * close).toPrecision(12));
}
