/** The score of a record, as whole numbers by scored bar. The same candles give everyone the same score. */
import * as z from 'zod/mini';
import { SCORED_BARS } from './scoring.ts';

/**
 * Why a record is not scored. `candles-missing`: the market has no candle for some of its minutes, or its candles come
 * from another market kind. `venue-changed`: no single venue has all of them. `market-closed`: the exchange closed
 * before the last minute. `candles-gone`: the candles were no longer available at scoring.
 */
export const RECORD_VOID_REASONS = ['candles-missing', 'venue-changed', 'market-closed', 'candles-gone'] as const;
export type RecordVoidReason = (typeof RECORD_VOID_REASONS)[number];

const perBar = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.length(SCORED_BARS.length));
const whole = z.int();
const flag = z.boolean();

export const recordScoreSchema = z.strictObject({
  /** ln of the closes over the last close, LN_UNITS. */
  actual: perBar(whole),
  /** Continuous ranked probability score over the 25 levels (twice the mean pinball loss), SIGMA_UNITS of ln. */
  crps: z.strictObject({
    /** For what users were shown: the model with its corrected bands. */
    shown: perBar(whole),
    model: perBar(whole),
    ewma: perBar(whole),
    har: perBar(whole),
  }),
  /** Whether the close is within the band, its edges included: as shown, and as the model produced it. */
  inside: z.strictObject({
    shown80: perBar(flag),
    shown95: perBar(flag),
    model80: perBar(flag),
    model95: perBar(flag),
  }),
  /** Probability integral transform of the shown quantiles, linear between levels, 0 to 10,000. */
  pit: perBar(z.int().check(z.minimum(0), z.maximum(10_000))),
  /** Whether the drawn path's closes equal the last close to half a tick's worth (0.05 bp) at these bars. */
  isCopy: perBar(flag),
  /** Actual values over the 50 bars, LN_UNITS: root of summed squared returns, and ln(highest high / lowest low). */
  rv: whole,
  range: whole,
});
export type RecordScore = z.infer<typeof recordScoreSchema>;
