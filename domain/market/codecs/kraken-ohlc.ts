/**
 * Kraken's public OHLC: rows oldest first, figures as text, the last one unfinished, under Kraken's own key for the
 * pair. Kraken has no bars of a calendar month (interval 43200), so we build them. An error is a 200 whose `error` list
 * is not empty.
 */
import * as z from 'zod/mini';
import { AppError } from '../../errors/app-error.ts';
import { SYMBOLS } from '../symbols.ts';
import { decimalSchema } from './decimal-text.ts';

/** `[startS, open, high, low, close, vwap, volume, count]`; prices and volume are decimal texts. */
export type KrakenRow = readonly [
  startS: number,
  open: string,
  high: string,
  low: string,
  close: string,
  vwap: string,
  volume: string,
  count: number,
];

export interface KrakenPair {
  /** Name used in requests to Kraken. */
  name: string;
  /** Key used in Kraken's responses. */
  key: string;
  /** Our symbol for the pair. */
  label: string;
  /** Other names that requests may use. */
  aliases: readonly string[];
}

export const KRAKEN_PAIRS: readonly KrakenPair[] = SYMBOLS.flatMap(({ label, kraken }) =>
  kraken === null ? [] : [{ ...kraken, label }],
);

/** Null for a pair outside the table, so that no other text ever reaches a URL. */
export function krakenPairOf(text: string): KrakenPair | null {
  const wanted = text.toUpperCase();
  return KRAKEN_PAIRS.find((pair) => pair.name === wanted || pair.aliases.includes(wanted)) ?? null;
}

/** Minutes of a bar. Kraken supports 1440 and 10080; we build the months. */
export const KRAKEN_DAY = 1440;
export const KRAKEN_WEEK = 10_080;
export const KRAKEN_MONTH = 43_200;

export const KRAKEN_ERRORS = {
  arguments: 'EGeneral:Invalid arguments',
  pair: 'EQuery:Unknown asset pair',
  unavailable: 'EService:Unavailable',
} as const;

export const MAX_KRAKEN_ROWS = 720;

const startSchema = z.int().check(z.nonnegative(), z.lt(1e11));
const rowSchema = z.tuple([
  startSchema,
  decimalSchema,
  decimalSchema,
  decimalSchema,
  decimalSchema,
  decimalSchema,
  decimalSchema,
  z.int().check(z.nonnegative()),
]);
const answerSchema = z.object({
  error: z.array(z.string()),
  result: z.nullish(z.record(z.string(), z.unknown())),
});

export interface KrakenRows {
  /** Oldest first, each start once; the last is unfinished. */
  rows: KrakenRow[];
  /** Rows dropped because they were not valid bars. */
  malformed: number;
}

/** A response without rows is valid. @throws AppError `venue/unavailable` when refused, or no row is valid */
export function parseKrakenOhlc(answer: unknown): KrakenRows {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw unusable('not an OHLC response');
  const { error } = parsed.data;
  const result = parsed.data.result ?? {};
  if (error.some(isKrakenError))
    throw new AppError('venue/unavailable', { details: { reason: KRAKEN_REFUSED, refusal: error } });
  const keys = Object.keys(result).filter((key) => key !== 'last');
  if (keys.length === 0) return { rows: [], malformed: 0 };
  const list = result[keys[0] ?? ''];
  if (keys.length !== 1 || !Array.isArray(list)) throw unusable('no rows for a single pair');

  const byStart = new Map<number, KrakenRow>();
  let malformed = 0;
  for (const each of list.slice(0, 2 * MAX_KRAKEN_ROWS)) {
    const row = rowSchema.safeParse(each);
    if (row.success && isOrdered(row.data)) byStart.set(row.data[0], row.data);
    else malformed += 1;
  }
  if (byStart.size === 0 && malformed > 0) throw unusable('no valid row');
  return { rows: [...byStart.values()].sort((a, b) => a[0] - b[0]), malformed };
}

/** False for a warning, which accompanies a valid result. */
export function isKrakenError(text: string): boolean {
  return !/^W[A-Za-z]+:/.test(text);
}

/** Reason of an error with Kraken's own codes in `details.refusal`. */
export const KRAKEN_REFUSED = 'refused';

function unusable(reason: string): AppError {
  return new AppError('venue/unavailable', { details: { reason } });
}

function isOrdered([, o, h, l, c]: KrakenRow): boolean {
  const [open, high, low, close] = [Number(o), Number(h), Number(l), Number(c)];
  return low > 0 && low <= Math.min(open, close) && Math.max(open, close) <= high;
}

export interface KrakenAnswer {
  error: string[];
  result: Record<string, KrakenRow[] | number>;
}

/**
 * A response in Kraken's format: `last` is the start of the newest finished bar; sent back as `since`, it returns the
 * next one. @param sinceS  only rows that start after it; default: all
 */
export function toKrakenAnswer({ key }: KrakenPair, rows: readonly KrakenRow[], sinceS = -1): KrakenAnswer {
  const finished = rows.at(-2) ?? rows.at(-1);
  return { error: [], result: { [key]: rows.filter(([startS]) => startS > sinceS), last: finished?.[0] ?? 0 } };
}

/** Parses a query parameter in epoch seconds; null for anything but plain digits. */
export function readKrakenSinceS(text: string): number | null {
  return /^\d{1,20}$/.test(text) ? Number(text) : null;
}

export function toKrakenError(...error: string[]): KrakenAnswer {
  return { error, result: {} };
}
