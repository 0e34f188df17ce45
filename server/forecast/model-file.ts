/** The shape of models/bobcat/model.json: coefficients and fitted tables, never a recorded price. */
import * as z from 'zod/mini';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { FEATURE_NAMES, SESSION_FEATURE_NAMES } from './features.ts';

/** The first forecast minute of each bin; the last bin ends at minute 50. Bins: 1, 2-3, 4-5, 6-10, 11-25, 26-50. */
export const BIN_STARTS = [1, 2, 4, 6, 11, 26] as const;
export const BIN_COUNT = BIN_STARTS.length;
/** Upper half of the 25 levels; the lower half mirrors it and the middle is 0. */
export const UPPER_LEVELS = [0.525, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.995] as const;
/** Asset classes with a table of their own; an index and energy borrow the metal's, and are labelled not evaluated. */
export const TABLE_CLASSES = ['crypto', 'equity', 'metal'] as const;
export type TableClass = (typeof TABLE_CLASSES)[number];

const finite = z.number().check(z.refine(Number.isFinite));
const row = (length: number) => z.array(finite).check(z.length(length));
const table = (rows: number, columns: number) => z.array(row(columns)).check(z.length(rows));
const perClass = <T extends z.core.SomeType>(schema: T) => z.object({ crypto: schema, equity: schema, metal: schema });

/** Inverse distribution function on a grid of probabilities rising from 0 to 1. */
export const pathTablesSchema = z.object({
  /** Clustering inside a path: g' = 1 - alpha - beta + alpha v/m + beta g. */
  alpha: finite,
  beta: finite,
  /** Where a symbol prints longer wicks and shorter bodies than others, lengths follow: 1 + slope (wickiness - centre). */
  wickiness: z.object({ centre: finite, returnSlope: finite, wickSlope: finite }),
  /** The path shown is a calm one of many; this gives it back the length of ordinary bodies and wicks. */
  lengths: z.object({ returns: finite, wicks: finite }),
  probabilities: z.array(finite).check(z.minLength(3)),
  /** [bin of the previous |return|] -> |return| over its volatility. */
  absReturn: z.array(z.array(finite).check(z.minLength(3))),
  /** Upper edges of the bins of |return| and of the previous |return|; one bin more than edges. */
  returnEdges: z.array(finite),
  previousEdges: z.array(finite),
  /** [bin of |return|][bin of the previous one] -> both wicks together over volatility. */
  wicks: z.array(z.array(z.array(finite))),
  /** [bin of |return|] -> share of both wicks that lies ahead of the move. */
  aheadShare: z.array(z.array(finite)),
});
export type PathTables = z.infer<typeof pathTablesSchema>;

export const harModelSchema = z.object({
  features: z.array(z.string()).check(z.refine((names) => names.join() === FEATURE_NAMES.join(), 'feature order')),
  sessionFeatures: z
    .array(z.string())
    .check(z.refine((names) => names.join() === SESSION_FEATURE_NAMES.join(), 'session feature order')),
  /** [bin] ln of mean blended variance over s squared, hour rhythm removed. */
  logVariance: table(BIN_COUNT, FEATURE_NAMES.length),
  /** ln of realised volatility and of the high-low range of the 50 minutes, over s. */
  logRv50: row(FEATURE_NAMES.length),
  logRange50: row(FEATURE_NAMES.length),
  /** Added to the above for markets with hours: [bin 1..6, rv50, range50][session feature]. */
  sessionOffsets: z.object({
    equity: table(BIN_COUNT + 2, SESSION_FEATURE_NAMES.length),
    metal: table(BIN_COUNT + 2, SESSION_FEATURE_NAMES.length),
  }),
  /** Variance of each minute of the hour relative to the mean. */
  minuteFactors: perClass(row(60)),
  /** [h - 1][level] quantiles of ln(C[t+h] / C[t]) over sigma_h. */
  upperQuantiles: perClass(table(HORIZON_BARS, UPPER_LEVELS.length)),
  paths: pathTablesSchema,
});
export type HarModel = z.infer<typeof harModelSchema>;
