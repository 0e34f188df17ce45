/** A user's saved predictions without their candles: what each promised and what came of it, and the totals. */
import * as z from 'zod/mini';

/** The newest ones; older ones are in the exported file. */
export const MOST_LISTED = 300;

const count = z.int().check(z.nonnegative());

export const historyRowSchema = z.object({
  id: z.string(),
  /** The picker's label, or a market's code. */
  market: z.string(),
  /** As it was saved: 'kat1'. */
  model: z.string(),
  timeframe: z.string(),
  /** ISO */
  madeAt: z.string(),
  state: z.enum(['waiting', 'known', 'void']),
  /** Of its 50 closes; null without bands or without an outcome. */
  inside80: z.nullable(count),
  inside95: z.nullable(count),
  /** Mean absolute errors over the 50 bars, bp; null without an outcome. */
  pathErrorBp: z.nullable(z.number()),
  lastCloseErrorBp: z.nullable(z.number()),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

export const predictionHistorySchema = z.object({
  ok: z.literal(true),
  /** Newest first, at most MOST_LISTED. */
  rows: z.array(historyRowSchema),
  /** All that are saved. */
  total: count,
});
export type PredictionHistory = z.infer<typeof predictionHistorySchema>;

export interface HistoryFilter {
  market: string | null;
  model: string | null;
  timeframe: string | null;
  state: HistoryRow['state'] | null;
}

export const NO_FILTER: HistoryFilter = { market: null, model: null, timeframe: null, state: null };

export function filterHistory(rows: readonly HistoryRow[], filter: HistoryFilter): HistoryRow[] {
  const keys = ['market', 'model', 'timeframe', 'state'] as const;
  return rows.filter((row) => keys.every((key) => filter[key] === null || filter[key] === row[key]));
}

export interface HistoryTotals {
  /** Predictions with an outcome and bands. */
  judged: number;
  /** Share of their closes inside the bands; null without one. */
  inside80: number | null;
  inside95: number | null;
  /** Predictions with an outcome, and those whose path was closer to it than the last close. */
  known: number;
  closerPaths: number;
}

const CLOSES = 50;

export function totalsOf(rows: readonly HistoryRow[]): HistoryTotals {
  const judged = rows.filter(({ inside80 }) => inside80 !== null);
  const known = rows.filter(({ pathErrorBp }) => pathErrorBp !== null);
  const share = (of: (row: HistoryRow) => number | null) =>
    judged.length === 0 ? null : judged.reduce((sum, row) => sum + (of(row) ?? 0), 0) / (CLOSES * judged.length);
  return {
    judged: judged.length,
    inside80: share(({ inside80 }) => inside80),
    inside95: share(({ inside95 }) => inside95),
    known: known.length,
    closerPaths: known.filter(isPathCloser).length,
  };
}

export function isPathCloser({ pathErrorBp, lastCloseErrorBp }: HistoryRow): boolean {
  return pathErrorBp !== null && lastCloseErrorBp !== null && pathErrorBp < lastCloseErrorBp;
}
