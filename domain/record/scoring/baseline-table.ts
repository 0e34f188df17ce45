/**
 * The two baselines of every record: a walk whose volatility is an exponentially weighted mean (normal quantiles), and
 * log-HAR (its own sigma at each scored bar, its own table of standardised quantiles). A record stores what it takes to
 * rebuild their quantiles: see RecordBody.ewma, .har, .baseline.
 */
import * as z from 'zod/mini';
import { type AssetClass, SYMBOLS } from '../../market/symbols.ts';
import { SIGMA_UNITS, UPPER_LEVELS } from '../ledger/ledger.ts';
import { SCORED_BARS } from './scoring.ts';

/** Classes that log-HAR is fitted on; other classes use the coins' numbers. */
export const BASELINE_CLASSES = ['crypto', 'equity', 'metal'] as const;
export type BaselineClass = (typeof BASELINE_CLASSES)[number];

const finite = z.number();

const classSchema = z.object({
  /** Number of windows it was fitted on. */
  windows: z.int(),
  /** [bin][feature]: ln of the bin's mean variance of a minute over s squared. */
  bins: z.array(z.array(finite)),
  /** [feature]: ln of realised volatility and of the range of the 50 minutes over s. */
  rv50: z.array(finite),
  range50: z.array(finite),
  /** [scored bar][level of UPPER_LEVELS]: quantiles of ln(C[t+h] / C[t]) over log-HAR's sigma, rising from 0. */
  upper: z
    .array(z.array(z.number().check(z.nonnegative())).check(z.length(UPPER_LEVELS.length)))
    .check(z.length(SCORED_BARS.length)),
});
export type BaselineNumbers = z.infer<typeof classSchema>;

/** models/baseline/<version>.json, published at /record/baselines/<version>.json. Never changed, only superseded. */
export const baselineTableSchema = z.object({
  /** `har-<first ten digits of the SHA-256 of the file's JSON without this field>` */
  version: z.string().check(z.regex(/^har-[0-9a-f]{10}$/)),
  /** Names of the columns of `bins`, `rv50` and `range50`, defined in server/forecast/network/features.ts. */
  features: z.array(z.string()),
  /** First forecast minute of each bin; the last one ends at minute 50. */
  binStarts: z.array(z.int()),
  classes: z.object({ crypto: classSchema, equity: classSchema, metal: classSchema }),
});
export type BaselineTable = z.infer<typeof baselineTableSchema>;

export function baselineClassOf(assetClass: AssetClass): BaselineClass {
  return BASELINE_CLASSES.find((known) => known === assetClass) ?? 'crypto';
}

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
export function harUpper({ har, sym }: { har: readonly number[]; sym: string }, table: BaselineTable): number[][] {
  const assetClass = SYMBOLS.find((known) => known.sym === sym)?.assetClass ?? 'crypto';
  const { upper } = table.classes[baselineClassOf(assetClass)];
  return upper.map((row, at) => row.map((quantile) => quantile * ((har[at] ?? 0) / SIGMA_UNITS)));
}
