/**
 * The two baselines of every record: a walk whose volatility is a fading mean (normal quantiles), and log-HAR (its own sigma
 * at each scored bar, its own table of standardised quantiles). A record keeps what is needed to write their quantiles
 * down again: see RecordBody.ewma, .har, .baseline.
 */
import * as z from 'zod/mini';
import { SIGMA_UNITS, UPPER_LEVELS } from './ledger.ts';
import { SCORED_BARS } from './scoring.ts';

/** models/baseline/<version>.json; published at /record/baselines/<version>.json. Never changed, only followed by another. */
export const baselineTableSchema = z.object({
  version: z.string(),
  /** [scored bar][level of UPPER_LEVELS]: quantiles of ln(C[t+h] / C[t]) over log-HAR's sigma, rising from 0. */
  upper: z
    .array(z.array(z.number().check(z.nonnegative())).check(z.length(UPPER_LEVELS.length)))
    .check(z.length(SCORED_BARS.length)),
});
export type BaselineTable = z.infer<typeof baselineTableSchema>;

/** Quantiles of the normal distribution at UPPER_LEVELS. */
const NORMAL_UPPER = [
  0.062706777943214, 0.125661346855074, 0.2533471031358, 0.385320466407568, 0.524400512708041, 0.674489750196082,
  0.841621233572914, 1.03643338949379, 1.2815515655446, 1.64485362695147, 1.95996398454005, 2.5758293035489,
] as const;

/** @returns [scored bar][level of UPPER_LEVELS], ln */
export function ewmaUpper({ ewma }: { ewma: number }): number[][] {
  return SCORED_BARS.map((bar) => NORMAL_UPPER.map((z) => z * (ewma / SIGMA_UNITS) * Math.sqrt(bar)));
}

/** @returns [scored bar][level of UPPER_LEVELS], ln */
export function harUpper({ har }: { har: readonly number[] }, table: BaselineTable): number[][] {
  return table.upper.map((row, at) => row.map((quantile) => quantile * ((har[at] ?? 0) / SIGMA_UNITS)));
}
