/**
 * Binance USD-M klines: REST rows and stream messages in, candles out; and back, for the sandbox market that speaks
 * the same words. Prices are decimal strings; the last REST row may still be open. Source: market facts, section 3.
 */
import * as z from 'zod/mini';
import { AppError } from '../errors/app-error.ts';
import { type Candle, isWellFormed, MINUTE_S } from './candle.ts';
import type { MarketSymbol } from './symbols.ts';

/** Rows that one REST call may ask for. */
export const MAX_KLINES = 1500;

/** The venue's name of a symbol: BTCUSDT for BTCUSDT.P. Those that are no perpetuals (GC1 for GC1!) exist on the sandbox market only. */
export function productIdOf(symbol: Pick<MarketSymbol, 'sym'>): string {
  return symbol.sym.replace(/\.P$/, '').replace(/!$/, '');
}

export function klineStreamName(productId: string): string {
  return `${productId.toLowerCase()}@kline_1m`;
}

export interface Kline {
  candle: Candle;
  /** Last millisecond of the candle: it is closed once the venue's clock is past it. */
  closeMs: number;
}

const decimal = z
  .string()
  .check(z.regex(/^\d{1,20}(\.\d{1,20})?$/))
  .check(z.maxLength(32));
const minuteMs = z.int().check(z.nonnegative(), z.multipleOf(MINUTE_S * 1000));

/** `[openMs, o, h, l, c, v, closeMs, ...]`; what follows is not read. */
const rowSchema = z.tuple([minuteMs, decimal, decimal, decimal, decimal, decimal, z.int()], z.unknown());

/**
 * Rows of GET /fapi/v1/klines, oldest first, one per minute. A bad row is dropped and counted; the others stay.
 * @throws AppError `venue/unavailable` when the answer is no list
 */
export function parseKlines(answer: unknown): { klines: Kline[]; malformed: number } {
  if (!Array.isArray(answer)) throw new AppError('venue/unavailable', { details: { reason: 'no list of klines' } });
  const byTime = new Map<number, Kline>();
  let malformed = 0;
  for (const row of answer.slice(0, 2 * MAX_KLINES)) {
    const kline = parseRow(row);
    if (kline === null) malformed += 1;
    else byTime.set(kline.candle.time, kline);
  }
  const klines = [...byTime.values()].sort((a, b) => a.candle.time - b.candle.time);
  return { klines, malformed };
}

function parseRow(row: unknown): Kline | null {
  const parsed = rowSchema.safeParse(row);
  if (!parsed.success) return null;
  const [openMs, open, high, low, close, volume, closeMs] = parsed.data;
  return toKline(openMs, closeMs, { o: open, h: high, l: low, c: close, v: volume });
}

interface Figures {
  o: string;
  h: string;
  l: string;
  c: string;
  v: string;
}

function toKline(openMs: number, closeMs: number, { o, h, l, c, v }: Figures): Kline | null {
  const candle: Candle = {
    time: openMs / 1000,
    open: Number(o),
    high: Number(h),
    low: Number(l),
    close: Number(c),
    volume: Number(v),
  };
  return closeMs === openMs + MINUTE_S * 1000 - 1 && isWellFormed(candle) ? { candle, closeMs } : null;
}

const messageSchema = z.object({
  e: z.literal('kline'),
  /** Event time, the venue's own clock. */
  E: z.int().check(z.nonnegative()),
  s: z.string(),
  k: z.object({
    t: minuteMs,
    T: z.int(),
    i: z.literal('1m'),
    o: decimal,
    h: decimal,
    l: decimal,
    c: decimal,
    v: decimal,
    x: z.boolean(),
  }),
});
const combinedSchema = z.object({ stream: z.string(), data: z.unknown() });
const eventNameSchema = z.object({ e: z.string() });

export interface KlineMessage {
  kind: 'kline';
  productId: string;
  candle: Candle;
  isClosed: boolean;
  eventMs: number;
}

/** One frame of a kline stream, bare or combined. Answers to subscriptions and other events are strangers, not faults. */
export function parseKlineMessage(text: string): KlineMessage | { kind: 'stranger' } | { kind: 'malformed' } {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    // A cut-off frame is a malformed message like any other: the caller counts it.
    return { kind: 'malformed' };
  }
  const combined = combinedSchema.safeParse(frame);
  const event = combined.success ? combined.data.data : frame;
  const name = eventNameSchema.safeParse(event);
  if (!name.success || name.data.e !== 'kline') return { kind: 'stranger' };
  const parsed = messageSchema.safeParse(event);
  if (!parsed.success) return { kind: 'malformed' };
  const { E: eventMs, s: productId, k } = parsed.data;
  const kline = toKline(k.t, k.T, k);
  if (kline === null) return { kind: 'malformed' };
  return { kind: 'kline', productId, candle: kline.candle, isClosed: k.x, eventMs };
}

export const serverTimeSchema = z.object({ serverTime: z.int().check(z.nonnegative(), z.lt(1e14)) });

/** A REST row of a candle, in the venue's order and words. Trade counts and taker shares are not kept: they say 0. */
export function toKlineRow(candle: Candle): readonly (number | string)[] {
  const openMs = candle.time * 1000;
  const volume = candle.volume ?? 0;
  return [
    openMs,
    decimalText(candle.open),
    decimalText(candle.high),
    decimalText(candle.low),
    decimalText(candle.close),
    decimalText(volume),
    openMs + MINUTE_S * 1000 - 1,
    decimalText(Number((volume * candle.close).toPrecision(12))),
    0,
    '0',
    '0',
    '0',
  ];
}

/** The stream's event for a candle. */
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

/** The shortest decimal text that reads back as the same number, never with an exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  const [digits, exponentText] = text.split('e');
  if (exponentText === undefined || digits === undefined) return text;
  const exponent = Number(exponentText);
  const [whole = '', fraction = ''] = digits.split('.');
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${whole}${fraction}${'0'.repeat(Math.max(0, exponent - fraction.length))}`;
}
