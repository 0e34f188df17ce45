/** The time up to which outcomes were processed, by the clock that dates them. */
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

/** Epoch milliseconds; null before the first round. */
export async function progressOf(queries: Queries): Promise<number | null> {
  const rows = await queries.query(
    'select (extract(epoch from resolved_until) * 1000)::float8 as until from private.alert_progress',
  );
  return rows.length === 0 ? null : z.object({ until: z.number() }).parse(rows[0]).until;
}

/** May move backwards: after a fast clock is corrected, new outcomes must not be skipped. */
export async function saveProgress(queries: Queries, untilIso: string): Promise<void> {
  await queries.query(
    `insert into private.alert_progress (resolved_until) values ($1::text::timestamptz)
     on conflict (is_only) do update set resolved_until = excluded.resolved_until`,
    [untilIso],
  );
}
