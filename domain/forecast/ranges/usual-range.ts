/**
 * GET /forecast/usual: the range that past volatility and the calendar predict, free for every market. No model takes
 * part.
 */
import * as z from 'zod/mini';
import { TIMEFRAMES } from '../../market/timeframes.ts';
import { forecastReleasesSchema } from '../releases/forecast-releases.ts';
import { HORIZON_BARS } from '../window.ts';

const edges = z.array(z.number().check(z.positive())).check(z.length(HORIZON_BARS));

export const usualRangeSchema = z.object({
  sym: z.string(),
  timeframe: z.enum(TIMEFRAMES),
  /** Opening second of the last closed candle. */
  t0: z.int(),
  lastClose: z.number().check(z.positive()),
  /** Edges of the 80% range for the closes of the next 50 bars. */
  lower80: edges,
  upper80: edges,
  /** Scheduled releases that widen it; absent: there are none until its last bar closes. */
  releases: z.optional(forecastReleasesSchema),
  /** The fitted baseline: /record/baselines/<baseline>.json. */
  baseline: z.string(),
});
export type UsualRange = z.infer<typeof usualRangeSchema>;
