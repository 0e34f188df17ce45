/** What users were told is kept for a month; a rule about one prediction ends with it. */
import type { Queries } from '../platform/database/database.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
/** In one statement, so that none takes long; the next round goes on. */
const REMOVED_AT_ONCE = 1000;

export async function removeOldAlerts(queries: Queries, nowMs: number): Promise<void> {
  await queries.query(
    `delete from public.alerts where id in (
       select id from public.alerts where made_at < $1::text::timestamptz order by made_at limit $2::int
       for update skip locked)`,
    [new Date(nowMs - KEPT_MS).toISOString(), REMOVED_AT_ONCE],
  );
}

/** Of predictions whose outcome was told of: nothing can come of these rules, and each counts towards the most there can be. */
export async function removeSpentRules(queries: Queries, resolvedBeforeIso: string): Promise<void> {
  await queries.query(
    `delete from public.alert_rules where id in (
       select r.id from public.alert_rules r join public.prediction_outcomes o on o.prediction_id = r.prediction_id
        where o.state <> 'waiting' and o.resolved_at <= $1::text::timestamptz limit $2::int
          for update of r skip locked)`,
    [resolvedBeforeIso, REMOVED_AT_ONCE],
  );
}
