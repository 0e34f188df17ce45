/** Deletes alerts after a month, and a rule about one prediction with its outcome. */
import type { Queries } from '../platform/database/database.ts';
import { removeExpiredOpenings } from './opening-rules-store.ts';

const RETENTION_MS = 30 * 24 * 3_600_000;
/** Limit per statement, so that each is short; the next round continues. */
const REMOVAL_BATCH = 1000;

export async function removeOldAlerts(queries: Queries, nowMs: number): Promise<void> {
  await queries.query(
    `delete from public.alerts where id in (
       select id from public.alerts where made_at < $1::text::timestamptz order by made_at limit $2::int
       for update skip locked)`,
    [new Date(nowMs - RETENTION_MS).toISOString(), REMOVAL_BATCH],
  );
  // No market is closed for so long: it is no longer offered.
  await removeExpiredOpenings(queries, new Date(nowMs - RETENTION_MS).toISOString(), REMOVAL_BATCH);
}

/** Rules about predictions with a reported outcome can match no more, but still count towards the limit. */
export async function removeResolvedRules(queries: Queries, resolvedBeforeIso: string): Promise<void> {
  await queries.query(
    `delete from public.alert_rules where id in (
       select r.id from public.alert_rules r join public.prediction_outcomes o on o.prediction_id = r.prediction_id
        where o.state <> 'waiting' and o.resolved_at <= $1::text::timestamptz limit $2::int
          for update of r skip locked)`,
    [resolvedBeforeIso, REMOVAL_BATCH],
  );
}
