/** An account's sessions as its owner sees them. The columns are those of a hosted project too, whose types differ. */
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

const sessionRow = z.object({
  id: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  user_agent: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  aal: z.string(),
});

/** Times in ISO 8601, UTC; `last_used_at`: the last refresh, an hour ago at most while the device is in use. */
export type ListedSession = z.infer<typeof sessionRow>;

/** Nobody has so many devices; a program that signs in anew for each call has. */
const MOST_LISTED = 200;

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Those that are not over, newest use first. */
export async function listSessionsOf(queries: Queries, userId: string, nowIso: string): Promise<ListedSession[]> {
  // A hosted project keeps refreshed_at without a zone, in UTC as ours is, and the address as inet.
  const rows = await queries.query(
    `select id::text as id, ${iso('created_at')} as created_at, ${iso('used_at')} as last_used_at, user_agent,
       nullif(split_part(ip::text, '/', 1), '') as ip, coalesce(aal::text, 'aal1') as aal
     from (select *, coalesce(refreshed_at::timestamptz, created_at) as used_at from auth.sessions
           where user_id = $1::text::uuid and (not_after is null or not_after > $2::text::timestamptz)) s
     order by used_at desc, id limit $3::int`,
    [userId, nowIso, MOST_LISTED],
  );
  return z.array(sessionRow).parse(rows);
}

/** Its refresh tokens go with it. @returns false for another account's session, and for one that is over */
export async function deleteSession(
  queries: Queries,
  session: { userId: string; sessionId: string },
  nowIso: string,
): Promise<boolean> {
  const rows = await queries.query(
    `delete from auth.sessions where id = $1::text::uuid and user_id = $2::text::uuid
       and (not_after is null or not_after > $3::text::timestamptz) returning 1`,
    [session.sessionId, session.userId, nowIso],
  );
  return rows.length === 1;
}
