/** An account's sessions as its owner sees them. Uses columns that a hosted project has too, with other types. */
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

/** Times in ISO 8601, UTC. `last_used_at` is the last refresh, at most an hour ago while the device is in use. */
export type ListedSession = z.infer<typeof sessionRow>;

/** No user has so many devices, but a program may sign in again for each call. */
const MOST_LISTED = 200;

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Live sessions, newest use first. */
export async function listSessionsOf(queries: Queries, userId: string, nowIso: string): Promise<ListedSession[]> {
  // A hosted project stores refreshed_at without a zone (in UTC, as we do) and the address as inet.
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

/** Also deletes its refresh tokens. @returns false for another account's session and for one that has ended */
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
