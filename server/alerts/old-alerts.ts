/** What users were told is kept for a month. */
import type { Queries } from '../platform/database.ts';

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
