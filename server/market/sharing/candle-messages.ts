import * as z from 'zod/mini';
import type { ErrorCode } from '#domain/errors/app-error.ts';
import { candleSchema, isWellFormed } from '#domain/market/candle.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import type { HistorySlice } from '../candles/candle-history.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { ServedUpdate } from '../venues/venue.ts';

export const candleSubject = (prefix: string): string => `${prefix}.candle`;
export const slicesSubject = (prefix: string): string => `${prefix}.candles-asked`;

export const sliceRequestSchema = z.object({
  sym: z.string(),
  count: z.int().check(z.gte(1), z.lte(5000)),
  timeframe: z.enum(TIMEFRAMES),
});

/** `[time, open, high, low, close, volume]`; volume is null without one in the feed. A fifth of the size of objects. */
const row = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.nullable(z.number())]);
const sliceSchema = z.object({
  candles: z.array(row),
  marketKind: z.enum(['live', 'replayed', 'simulated']),
  venueId: z.string(),
  attribution: z.string(),
  delayS: z.number(),
  asOfS: z.nullable(z.number()),
  isStale: z.boolean(),
  isOpen: z.boolean(),
  nowMs: z.number(),
});

/** Refusals of the market itself, which every process would get. */
export const MARKET_REFUSALS = [
  'venue/unavailable',
  'venue/not-connected',
  'market/delisted',
  'market/halted',
] as const satisfies readonly ErrorCode[];

const answerSchema = z.union([
  z.object({ slice: sliceSchema }),
  /** No venue of the symbol answers, none is connected, or the product has ended. */
  z.object({
    refused: z.enum(MARKET_REFUSALS),
    details: z.record(z.string(), z.unknown()),
  }),
]);

export type SliceAnswer = { slice: HistorySlice } | Extract<z.infer<typeof answerSchema>, { refused: unknown }>;

export function sliceMessage({ candles, ...rest }: HistorySlice): unknown {
  return { ...rest, candles: candles.map((c) => [c.time, c.open, c.high, c.low, c.close, c.volume ?? null]) };
}

/** @returns null for a message that no leader of ours sends */
export function readSliceAnswer(message: unknown): SliceAnswer | null {
  const parsed = answerSchema.safeParse(message);
  if (!parsed.success) return null;
  if (!('slice' in parsed.data)) return parsed.data;
  const { candles: rows, ...rest } = parsed.data.slice;
  const candles = rows.map(([time, open, high, low, close, volume]) => ({
    time,
    open,
    high,
    low,
    close,
    ...(volume === null ? {} : { volume }),
  }));
  return candles.every(isWellFormed) ? { slice: { ...rest, candles } } : null;
}

const updateSchema = z.object({
  term: z.int(),
  sym: z.string(),
  candle: candleSchema,
  isClosed: z.boolean(),
  venueId: z.string(),
});

export function updateMessage(term: number, { symbol, candle, isClosed, venueId }: ServedUpdate): unknown {
  return { term, sym: symbol.sym, candle, isClosed, venueId };
}

/**
 * @param knownSymbol  also products of the catalogue, as far as this process knows them
 * @returns null for a message that no leader of ours sends
 */
export function readUpdate(
  message: unknown,
  knownSymbol: SymbolLookup['knownSymbol'] = ONLY_SPECIFIED.knownSymbol,
): { term: number; update: ServedUpdate } | null {
  const parsed = updateSchema.safeParse(message);
  const symbol = parsed.success ? knownSymbol(parsed.data.sym) : null;
  if (!parsed.success || symbol === null) return null;
  const { term, candle, isClosed, venueId } = parsed.data;
  return { term, update: { symbol, candle, isClosed, venueId } };
}
