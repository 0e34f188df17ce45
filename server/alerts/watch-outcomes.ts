/**
 * Alerts for outcomes that became known or void since the last round: each once, also after downtime. Band breaks
 * missed during downtime are included, using the closes that decided the outcome.
 */
import * as z from 'zod/mini';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { asOwner, type Database, type Queries } from '../platform/database/database.ts';
import { type AlertTime, ruleMarketS } from './alert-time.ts';
import { removeResolvedRules } from './old-alerts.ts';
import type { NewAlert } from './send-alerts.ts';
import { breakOf, timeframeFact } from './watch-bands.ts';
import { type ResolvedCursor, type ResolvedPrediction, resolvedPredictions } from './watched-predictions-store.ts';

/** A round of outcomes is dated at its start but written for up to a minute, so this overlap includes late writes. */
const OVERLAP_MS = 3 * 60_000;
/** After longer downtime the older outcomes are not news. Far shorter than alerts are stored, so that none repeats. */
const CAUGHT_UP_MS = 7 * 24 * 3_600_000;
/** Some 50 closes and 100 edges each. */
const BATCH = 250;

/** Runs one round. @param send  receives the alerts batch by batch */
export async function watchOutcomes(
  database: Database,
  time: AlertTime,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queries = asOwner(database);
  const until = (await progressOf(queries)) ?? time.latestMs;
  const fromMs = Math.max(Math.min(until, time.latestMs) - OVERLAP_MS, time.latestMs - CAUGHT_UP_MS);
  const span = { fromIso: new Date(fromMs).toISOString(), toIso: new Date(time.latestMs).toISOString() };
  let after: ResolvedCursor | null = null;
  for (let count = BATCH; count === BATCH; ) {
    signal.throwIfAborted();
    const rows: ResolvedPrediction[] = await resolvedPredictions(queries, { ...span, after, limit: BATCH });
    count = rows.length;
    after = rows.at(-1) ?? null;
    await send(rows.flatMap((row) => [bandOf(row, time) ?? [], outcomeOf(row) ?? []].flat()));
  }
  // Saved only after all alerts are written: an interrupted round runs again, and no alert repeats.
  await saveProgress(queries, span.toIso);
  await removeResolvedRules(queries, span.fromIso);
}

function outcomeOf(row: ResolvedPrediction): NewAlert | null {
  const { predictionId, userId, sym, marketKind, joinS, voidReason, pathErrorBp, lastCloseErrorBp, isReturned } = row;
  const model = modelOfBackendName(row.model)?.name;
  if (model === undefined || row.outcomeSinceMs === null || row.outcomeSinceMs > row.resolvedMs) return null;
  return {
    userId,
    subject: predictionId,
    facts: {
      kind: 'prediction-resolved',
      sym,
      marketKind,
      predictionId,
      model,
      ...timeframeFact(row.timeframe),
      joinS,
      voidReason,
      pathErrorBp,
      lastCloseErrorBp,
      isReturned,
    },
  };
}

function bandOf(row: ResolvedPrediction, time: AlertTime): NewAlert | null {
  const { closes, bandSinceMs } = row;
  return closes === null || bandSinceMs === null ? null : breakOf({ ...row, closes }, ruleMarketS(bandSinceMs, time));
}

/** Epoch milliseconds; null before the first round. */
async function progressOf(queries: Queries): Promise<number | null> {
  const rows = await queries.query(
    'select (extract(epoch from resolved_until) * 1000)::float8 as until from private.alert_progress',
  );
  return rows.length === 0 ? null : z.object({ until: z.number() }).parse(rows[0]).until;
}

/** May move backwards: after a fast clock is corrected, new outcomes must not be skipped. */
async function saveProgress(queries: Queries, untilIso: string): Promise<void> {
  await queries.query(
    `insert into private.alert_progress (resolved_until) values ($1::text::timestamptz)
     on conflict (is_only) do update set resolved_until = excluded.resolved_until`,
    [untilIso],
  );
}
