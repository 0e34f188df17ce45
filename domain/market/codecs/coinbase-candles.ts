/** REST rows `[time, LOW, HIGH, open, close, volume]`, newest first; no row for an interval without trades. */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import type { Candle } from '../candle.ts';

/** Candle lengths in seconds; any other is refused. */
export const COINBASE_GRANULARITIES = [60, 300, 900, 3600, 21_600, 86_400] as const;
export type CoinbaseGranularity = (typeof COINBASE_GRANULARITIES)[number];

/** The most candles per request; a larger request is refused. */
export const MAX_COINBASE_CANDLES = 300;

export type CoinbaseRow = readonly [
  timeS: number,
  low: number,
  high: number,
  open: number,
  close: number,
  volume: number,
];

export function coinbaseGranularityOf(text: string): CoinbaseGranularity | null {
  return COINBASE_GRANULARITIES.find((granularity) => String(granularity) === text) ?? null;
}

const price = z.number().check(z.positive(), z.lt(1e15));
const rowSchema = z.tuple([
  z.int().check(z.nonnegative(), z.lt(1e11)),
  price,
  price,
  price,
  price,
  z.number().check(z.nonnegative(), z.lt(1e18)),
]);

export interface CoinbaseCandles {
  /** Oldest first, each once, on the granularity's grid; intervals without trades are missing. */
  candles: Candle[];
  malformed: number;
}

/** @throws AppError `venue/unavailable` when the response is not a list, or none of its rows is a valid candle */
export function parseCoinbaseCandles(answer: unknown, granularity: CoinbaseGranularity): CoinbaseCandles {
  if (!Array.isArray(answer)) throw unusable('not a list of candles');
  const byTime = new Map<number, Candle>();
  let malformed = 0;
  for (const each of answer.slice(0, 4 * MAX_COINBASE_CANDLES)) {
    const row = rowSchema.safeParse(each);
    const candle = row.success ? toCandle(row.data, granularity) : null;
    if (candle === null) malformed += 1;
    else byTime.set(candle.time, candle);
  }
  if (byTime.size === 0 && malformed > 0) throw unusable('only malformed candles');
  return { candles: [...byTime.values()].sort((a, b) => a.time - b.time), malformed };
}

function unusable(reason: string): AppError {
  return new AppError('venue/unavailable', { details: { reason } });
}

function toCandle([time, low, high, open, close, volume]: CoinbaseRow, granularity: number): Candle | null {
  const isOrdered = low <= Math.min(open, close) && Math.max(open, close) <= high;
  return isOrdered && time % granularity === 0 ? { time, open, high, low, close, volume } : null;
}

export function toCoinbaseRow({ time, open, high, low, close, volume = 0 }: Candle): CoinbaseRow {
  return [time, low, high, open, close, volume];
}

/** Parses ISO time or epoch seconds, as Coinbase accepts them; null for anything else. */
export function readCoinbaseTimeS(text: string): number | null {
  if (/^\d{1,11}$/.test(text)) return Number(text);
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return null;
  const isWithoutZone = text.includes('T') && !/(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = Date.parse(isWithoutZone ? `${text}Z` : text);
  return Number.isFinite(ms) ? ms / 1000 : null;
}

export const COINBASE_REFUSALS = {
  product: 'NotFound',
  granularity: 'Unsupported granularity',
  time: 'Invalid start or end time',
  order: 'start must be before end',
  points: `granularity too small for the requested time range. Count of aggregations requested exceeds ${MAX_COINBASE_CANDLES}`,
} as const;
