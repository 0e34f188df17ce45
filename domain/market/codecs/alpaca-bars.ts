/**
 * Alpaca's stock bars, feed `iex`: REST bars by symbol and page, stream messages in lists. Figures are numbers, times
 * are RFC 3339 texts of a bar's opening, and both sources include hours outside the exchange's own.
 */

import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { type Candle, isBarOver, isWellFormed, MINUTE_S } from '../candle.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../timeframes.ts';
import { type CandleRows, readCandleRows, type SeenCandle } from './candle-rows.ts';
import { optionalField } from './optional-field.ts';

export const MAX_ALPACA_BARS = 10_000;
/** Parameter `timeframe`. */
export const ALPACA_TIMEFRAMES: Readonly<Record<Timeframe, string>> = {
  '1min': '1Min',
  '5min': '5Min',
  '15min': '15Min',
};

const barSchema = z.object({
  t: z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/)),
  o: z.number(),
  h: z.number(),
  l: z.number(),
  c: z.number(),
  v: z.number(),
});
const pageSchema = z.object({
  bars: z.nullable(z.record(z.string(), z.array(z.unknown()))),
  next_page_token: z.nullish(z.string()),
});

export interface AlpacaPage extends CandleRows {
  nextPageToken: string | null;
}

/** @param asOfMs  time of the request: bars not over by then are open @throws AppError `venue/unavailable` */
export function parseAlpacaBars(
  answer: unknown,
  sym: string,
  asOfMs: number,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): AlpacaPage {
  const barS = barSecondsOf(timeframe);
  const page = pageSchema.safeParse(answer);
  if (!page.success) throw new AppError('venue/unavailable', { details: { reason: 'not a page of bars' } });
  const bars = page.data.bars?.[sym] ?? [];
  const rows = readCandleRows(bars, MAX_ALPACA_BARS, (bar) => {
    const candle = parseBar(bar, barS);
    return candle === null ? null : { candle, isClosed: isBarOver(candle.time * 1000, asOfMs, barS) };
  });
  return { ...rows, nextPageToken: page.data.next_page_token ?? null };
}

function parseBar(bar: unknown, barS: number): Candle | null {
  const parsed = barSchema.safeParse(bar);
  if (!parsed.success) return null;
  const { t, o: open, h: high, l: low, c: close, v: volume } = parsed.data;
  const candle = { time: Date.parse(t) / 1000, open, high, low, close, volume };
  return isWellFormed(candle) && candle.time % barS === 0 ? candle : null;
}

/** One message of the stream; a frame holds several. Bars arrive when their minute is over. */
export type AlpacaMessage =
  | { kind: 'connected' | 'authenticated' | 'ignored' | 'malformed' }
  | { kind: 'bar'; sym: string; candle: Candle }
  | { kind: 'refused'; code: number; reason: string };

const frameSchema = z.array(z.unknown()).check(z.maxLength(10_000));
const messageSchema = z.object({ T: z.string() });
const successSchema = z.object({ msg: z.string() });
const streamBarSchema = z.object({ S: z.string() });
const errorSchema = z.object({ code: z.int(), msg: optionalField(z.string()) });

export function parseAlpacaFrame(text: string): AlpacaMessage[] {
  const messages = frameSchema.safeParse(parsedJson(text));
  return messages.success ? messages.data.map(parseMessage) : [{ kind: 'malformed' }];
}

function parseMessage(message: unknown): AlpacaMessage {
  const type = messageSchema.safeParse(message);
  if (!type.success) return { kind: 'malformed' };
  switch (type.data.T) {
    case 'b': {
      const named = streamBarSchema.safeParse(message);
      const candle = parseBar(message, MINUTE_S);
      return named.success && candle !== null ? { kind: 'bar', sym: named.data.S, candle } : { kind: 'malformed' };
    }
    case 'success': {
      const reply = successSchema.safeParse(message);
      if (reply.data?.msg === 'connected') return { kind: 'connected' };
      return reply.data?.msg === 'authenticated' ? { kind: 'authenticated' } : { kind: 'ignored' };
    }
    case 'error': {
      const error = errorSchema.safeParse(message);
      const { code = 0, msg = '' } = error.data ?? {};
      return { kind: 'refused', code, reason: `${code} ${msg}`.trim() };
    }
    default:
      return { kind: 'ignored' };
  }
}

/** A bar in Alpaca's format. Trade counts are not stored, so they are 1, and the mean price is the close. */
export function toAlpacaBar({ time, open, high, low, close, volume = 0 }: Candle): object {
  return {
    t: `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
    o: open,
    h: high,
    l: low,
    c: close,
    v: volume,
    n: 1,
    vw: close,
  };
}

export function toAlpacaFrame(sym: string, { candle }: SeenCandle): object {
  return [{ T: 'b', S: sym, ...toAlpacaBar(candle) }];
}
