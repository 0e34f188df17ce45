/**
 * The two baselines of every record: a walk whose volatility is an exponentially weighted mean (normal quantiles), and
 * log-HAR (its own sigma at each scored bar, its own table of standardised quantiles). A record stores what it takes to
 * rebuild their quantiles: see RecordBody.ewma, .har, .baseline.
 */
import * as z from 'zod/mini';
import { type AssetClass, SYMBOLS } from '../../market/symbols.ts';
import { LONGER_TIMEFRAMES, SIGMA_UNITS, UPPER_LEVELS } from '../ledger/ledger.ts';
import { SCORED_BARS } from './scoring.ts';

/** Classes that log-HAR is fitted on; other classes use the coins' numbers. */
export const BASELINE_CLASSES = ['crypto', 'equity', 'metal'] as const;
export type BaselineClass = (typeof BASELINE_CLASSES)[number];

const finite = z.number();

const classSchema = z.object({
  /** Number of windows it was fitted on. */
  windows: z.int(),
  /** [bin][feature]: ln of the bin's mean variance of a bar over s squared. */
  bins: z.array(z.array(finite)),
  /** [feature]: ln of realised volatility and of the range of the 50 bars over s. */
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
  /** Length of the candles that it was fitted on; absent: one minute. */
  tf: z.optional(z.enum(LONGER_TIMEFRAMES)),
  /** Names of the columns of `bins`, `rv50` and `range50`, defined in server/forecast/network/features.ts. */
  features: z.array(z.string()),
  /** First forecast bar of each bin; the last one ends at bar 50. */
  binStarts: z.array(z.int()),
  /** Longer candles are recorded for coins alone, so that their tables have no other class. */
  classes: z.object({ crypto: classSchema, equity: z.optional(classSchema), metal: z.optional(classSchema) }),
});
export type BaselineTable = z.infer<typeof baselineTableSchema>;

/** A class without numbers uses those of the coins. */
export function baselineNumbersOf({ classes }: BaselineTable, assetClass: AssetClass): BaselineNumbers {
  const own = BASELINE_CLASSES.find((known) => known === assetClass) ?? 'crypto';
  return classes[own] ?? classes.crypto;
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
  const { upper } = baselineNumbersOf(table, assetClass);
  return upper.map((row, at) => row.map((quantile) => quantile * ((har[at] ?? 0) / SIGMA_UNITS)));
}
