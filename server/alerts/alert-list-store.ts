/** Alerts that users received, as the list shows them. */
import * as z from 'zod/mini';
import { ALERTS_SHOWN, type Alert, alertFactsSchema } from '#domain/alerts/alert.ts';
import type { Queries } from '../platform/database/database.ts';

const rowSchema = z.object({ id: z.coerce.number(), facts: z.unknown(), madeAt: z.string(), isRead: z.boolean() });

/** Newest first, at most ALERTS_SHOWN. @param after  only alerts with a higher number */
export async function alertsOf(queries: Queries, userId: string, after: number): Promise<Alert[]> {
  const rows = await queries.query(
    `select a.id, a.facts, a.read_at is not null as "isRead",
       to_char(a.made_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt"
     from public.alerts a where a.user_id = $1::text::uuid and a.id > $2::bigint order by a.id desc limit $3::int`,
    [userId, after, ALERTS_SHOWN],
  );
  return z
    .array(rowSchema)
    .parse(rows)
    .flatMap(({ facts, ...row }) => {
      const known = alertFactsSchema.safeParse(facts);
      // Another version of the server may have written it: one unreadable alert must not hide the others.
      return known.success ? [{ ...row, facts: known.data }] : [];
    });
}

/** Counts all of the user's unread alerts, including those not shown. */
export async function unreadOf(queries: Queries, userId: string): Promise<number> {
  const rows = await queries.query(
    'select count(*)::int as unread from public.alerts where user_id = $1::text::uuid and read_at is null',
    [userId],
  );
  return z.object({ unread: z.number() }).parse(rows[0]).unread;
}

/** Marks all up to and including this number. */
export async function markRead(queries: Queries, userId: string, upTo: number, nowIso: string): Promise<void> {
  await queries.query(
    `update public.alerts set read_at = $3::text::timestamptz
      where user_id = $1::text::uuid and id <= $2::bigint and read_at is null`,
    [userId, upTo, nowIso],
  );
}
