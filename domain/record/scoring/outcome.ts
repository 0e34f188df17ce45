/** The outcome of a saved prediction: the real candles of its 50 bars, or why there never will be any. */
import * as z from 'zod/mini';
import { HORIZON_BARS } from '../../forecast/window.ts';
import { candleSchema } from '../../market/candle.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { barSecondsOf, type Timeframe } from '../../market/timeframes.ts';
import { pathScoreSchema } from './scoring.ts';

/**
 * Why a prediction is not scored. `market-closed`: the exchange closed before its last minute. `candles-missing`: the
 * market has no candle for some minute. `candles-gone`: the candles were no longer available at scoring.
 * `other-market`: this server now shows a different market from the one it was made on. `unreadable`: its own candles
 * are invalid.
 */
export const VOID_REASONS = ['market-closed', 'candles-missing', 'candles-gone', 'other-market', 'unreadable'] as const;
export type VoidReason = (typeof VOID_REASONS)[number];

export const VOID_LABELS: Readonly<Record<VoidReason, string>> = {
  'market-closed': 'Not scored: the market closed before the forecast ended.',
  'candles-missing': 'Not scored: the market has no candle for some of these minutes.',
  'candles-gone': 'Not scored: the candles of these minutes are no longer stored.',
  'other-market': 'Not scored: it was made on a different market than the one this server uses now.',
  unreadable: 'Not scored: its saved candles are unreadable.',
};

/**
 * Reasons that return a void prediction to the user's quota (private.returns_quota). A closed market is not one of
 * them: its hours were known when the prediction was requested.
 */
export const RETURNING_REASONS: readonly VoidReason[] = [
  'candles-missing',
  'candles-gone',
  'other-market',
  'unreadable',
];

/** Shown after 'Returned: '. */
export const REFUND_LABELS: Readonly<Record<VoidReason, string>> = {
  'market-closed': 'the market closed',
  'candles-missing': 'the feed failed',
  'candles-gone': 'the feed failed',
  'other-market': 'the feed was changed',
  unreadable: 'its stored data was incomplete',
};

const common = {
  prediction_id: z.string(),
  market_kind: z.enum(MARKET_KINDS),
  /** ISO time from which the outcome may be known. */
  due_at: z.string(),
};

/** A row of prediction_outcomes as the page reads it. */
export const outcomeRowSchema = z.union([
  z.object({ ...common, state: z.literal('waiting') }),
  z.object({
    ...common,
    state: z.literal('known'),
    candles: z.array(candleSchema).check(z.length(HORIZON_BARS)),
    score: pathScoreSchema,
  }),
  z.object({
    ...common,
    state: z.literal('void'),
    void_reason: z.enum(VOID_REASONS),
    /** ISO time at which the user's quota was refunded for it; null when that made no difference. */
    returned_at: z.optional(z.nullable(z.string())),
  }),
]);
export type OutcomeRow = z.infer<typeof outcomeRowSchema>;
export type KnownOutcome = Extract<OutcomeRow, { state: 'known' }>;

/** Opening seconds of the 50 forecast bars. @param joinS  opening second of the last real candle */
export function forecastTimes(joinS: number, timeframe: Timeframe): number[] {
  const barS = barSecondsOf(timeframe);
  return Array.from({ length: HORIZON_BARS }, (_, i) => joinS + (i + 1) * barS);
}

/** When the last of the 50 candles has closed, epoch seconds of the market's time. */
export function outcomeEndS(joinS: number, timeframe: Timeframe): number {
  return joinS + (HORIZON_BARS + 1) * barSecondsOf(timeframe);
}
