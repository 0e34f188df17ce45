/** Checkouts that should have ended by now. */
import * as z from 'zod/mini';
import { type Database, SERVICE } from '../../platform/database/database.ts';

const rowSchema = z.object({ id: z.string(), sessionId: z.nullable(z.string()) });

/**
 * @returns open slots older than `olderThanS` seconds, oldest first; `sessionId` is null if the provider never answered
 */
export async function overdueCheckouts(
  database: Database,
  limits: { olderThanS: number; count: number; nowIso: string },
): Promise<{ id: string; sessionId: string | null }[]> {
  const rows = await database.query(
    SERVICE,
    `select id::text as id, session_id as "sessionId" from public.billing_checkouts
      where state = 'open' and created_at < $1::text::timestamptz - make_interval(secs => $2)
      order by created_at limit $3`,
    [limits.nowIso, limits.olderThanS, limits.count],
  );
  return z.array(rowSchema).parse(rows);
}
