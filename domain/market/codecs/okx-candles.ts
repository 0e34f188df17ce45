/**
 * OKX candles of USDT swaps: rows newest first, every figure as text, volume in contracts first and in the base asset
 * at index 6, and a last column that marks complete candles. A refusal may be a 200 with a `code` other than "0".
 */

import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { MINUTE_S } from '../candle.ts';
import { type MarketSymbol, SYMBOLS } from '../symbols.ts';
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

export const MAX_OKX_CANDLES = 300;
/** Parameter `bar`. */
export const OKX_BARS: Readonly<Record<Timeframe, string>> = { '1min': '1m', '5min': '5m', '15min': '15m' };
/** Bars available at /candles; older ones are at /history-candles. */
export const OKX_RECENT_BARS = 1440;

const CHANNEL = 'candle1m';

/** BTC-USDT-SWAP for BTCUSDT.P. */
export function okxInstrumentIdOf(symbol: Pick<MarketSymbol, 'sym'>): string {
  return `${symbol.sym.replace(/USDT\.P$/, '')}-USDT-SWAP`;
}

export interface OkxChannel {
  channel: string;
  instId: string;
}

export function okxChannel(instId: string): OkxChannel {
  return { channel: CHANNEL, instId };
}

const verdictSchema = z.object({ code: z.string(), msg: optionalField(z.string()) });

/** Null for a successful response, or one that isn't OKX's. */
export function okxRefusal(answer: unknown): { code: number; text: string } | null {
  const verdict = verdictSchema.safeParse(answer);
  if (!verdict.success || verdict.data.code === '0') return null;
  return { code: Number(verdict.data.code), text: verdict.data.msg ?? '' };
}

const msText = z.string().check(z.regex(/^\d{1,14}$/));
const timeSchema = z.object({ code: z.literal('0'), data: z.tuple([z.object({ ts: msText })]) });

/** GET /api/v5/public/time in milliseconds. @throws AppError `venue/unavailable` */
export function parseOkxTime(answer: unknown): number {
  const parsed = timeSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'no server time' } });
  return Number(parsed.data.data[0].ts);
}

const listSchema = z.object({ code: z.literal('0'), data: z.array(z.unknown()) });
/** @throws AppError `venue/unavailable` when the response is not a list */
export function parseOkxCandles(answer: unknown, timeframe: Timeframe = DEFAULT_TIMEFRAME): CandleRows {
  const parsed = listSchema.safeParse(answer);
  if (!parsed.success) throw new AppError('venue/unavailable', { details: { reason: 'not a list of candles' } });
  return readCandleRows(parsed.data.data, MAX_OKX_CANDLES, (row) => parseRow(row, barSecondsOf(timeframe)));
}

/** `[ms, o, h, l, c, contracts, baseVolume, quoteVolume, confirm]`. */
function parseRow(row: unknown, barS: number): SeenCandle | null {
  if (!Array.isArray(row)) return null;
  const [start, o, h, l, c, , v, , confirm]: unknown[] = row;
  const openMs = msOfText(start);
  const isSound = (confirm === '0' || confirm === '1') && openMs % (barS * 1000) === 0;
  const candle = isSound ? toCandle(openMs, { o, h, l, c, v }) : null;
  return candle === null ? null : { candle, isClosed: confirm === '1' };
}

const frameSchema = z.object({
  arg: z.object({ channel: z.literal(CHANNEL), instId: z.string() }),
  data: z.array(z.unknown()).check(z.maxLength(100)),
});
const channelSchema = z.object({ arg: z.object({ channel: z.literal(CHANNEL) }), data: z.unknown() });
const errorSchema = z.object({
  event: z.literal('error'),
  code: optionalField(z.string()),
  msg: optionalField(z.string()),
});

/** Parses one frame of wss /ws/v5/business, where a bare `pong` answers a bare `ping`. */
export function parseOkxFrame(text: string): CandleFrame {
  if (text === 'pong') return { kind: 'ignored' };
  const frame = parsedJson(text);
  // A truncated frame is a malformed message like any other: the caller counts it.
  if (frame === undefined) return { kind: 'malformed' };
  const refusal = errorSchema.safeParse(frame);
  if (refusal.success)
    return { kind: 'refused', reason: `${refusal.data.code ?? ''} ${refusal.data.msg ?? ''}`.trim() };
  const isAcknowledged = z.object({ event: z.string() }).safeParse(frame).success;
  if (isAcknowledged || !channelSchema.safeParse(frame).success) return { kind: 'ignored' };
  const parsed = frameSchema.safeParse(frame);
  if (!parsed.success) return { kind: 'malformed' };
  const { arg, data } = parsed.data;
  const { seen, malformed } = readCandleRows(data, data.length, (row) => parseRow(row, MINUTE_S));
  return { kind: 'candles', productId: arg.instId, seen, malformed, eventMs: null };
}

export function toOkxRow(instId: string, { candle, isClosed }: SeenCandle): readonly string[] {
  const { open, high, low, close, volume = 0 } = candle;
  const contracts = Number((volume / contractSizeOf(instId)).toPrecision(12));
  const quoteVolume = Number((volume * close).toPrecision(12));
  const figures = [open, high, low, close, contracts, volume, quoteVolume].map(decimalText);
  return [String(candle.time * 1000), ...figures, isClosed ? '1' : '0'];
}

/** One unit of the base asset where the table has no size: readers use the volume in the base asset. */
function contractSizeOf(instId: string): number {
  return SYMBOLS.find((symbol) => okxInstrumentIdOf(symbol) === instId)?.okxContractSize ?? 1;
}

export function toOkxFrame(instId: string, seen: SeenCandle): object {
  return { arg: okxChannel(instId), data: [toOkxRow(instId, seen)] };
}
