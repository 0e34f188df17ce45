/** Rules about the opening of a market. */
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

const rowSchema = z.object({ id: z.string(), userId: z.string() });
export type OpeningRule = z.infer<typeof rowSchema>;

/** The oldest first. */
export async function openingRules(queries: Queries, sym: string, limit: number): Promise<OpeningRule[]> {
  const rows = await queries.query(
    `select r.id::text as id, r.user_id::text as "userId" from public.alert_rules r
      where r.kind = 'market-opens' and r.sym = $1::text order by r.created_at, r.id limit $2::int`,
    [sym, limit],
  );
  return z.array(rowSchema).parse(rows);
}

export async function removeOpeningRules(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.query(`delete from public.alert_rules where kind = 'market-opens' and id = any ($1::text[]::uuid[])`, [
    ids,
  ]);
}

export async function removeExpiredOpenings(queries: Queries, beforeIso: string, limit: number): Promise<void> {
  await queries.query(
    `delete from public.alert_rules where id in (
       select id from public.alert_rules where kind = 'market-opens' and created_at < $1::text::timestamptz
        limit $2::int for update skip locked)`,
    [beforeIso, limit],
  );
}
