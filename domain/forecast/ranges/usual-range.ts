/** GET /forecast/usual: the range that past volatility alone predicts, free for every market. No model takes part. */
import * as z from 'zod/mini';
import { TIMEFRAMES } from '../../market/timeframes.ts';
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
  /** The fitted baseline: /record/baselines/<baseline>.json. */
  baseline: z.string(),
});
export type UsualRange = z.infer<typeof usualRangeSchema>;
