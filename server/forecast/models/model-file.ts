/** The format of models/<name>/paths.json: fitted tables that paths are drawn from, never a recorded price. */
import * as z from 'zod/mini';

/** Upper half of the 25 levels; the lower half mirrors it and the middle is 0. */
export const UPPER_LEVELS = [0.525, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.995] as const;

const finite = z.number().check(z.refine(Number.isFinite));

/** Inverse distribution functions on a grid of probabilities rising from 0 to 1. */
export const pathTablesSchema = z.object({
  /** Clustering inside a path: g' = 1 - alpha - beta + alpha v/m + beta g. */
  alpha: finite,
  beta: finite,
  /** For symbols with longer wicks and shorter bodies, lengths scale with 1 + slope (wickiness - centre). */
  wickiness: z.object({ centre: finite, returnSlope: finite, wickSlope: finite }),
  /** The path shown is calmer than most; these factors restore the length of ordinary bodies and wicks. */
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
