/** What is left of sessions that are over: rows that nobody can use and that tell nothing any more. */
import type { Queries } from '../../../platform/database/database.ts';

/**
 * A session that was not refreshed for so long is over: an access token lives an hour, so this browser has not been here.
 * The documentation promises it: docs/operating.md.
 */
const ABANDONED_DAYS = 90;
/** Tokens of sessions that ended, and used tokens of those that live, are kept so long to tell a thief from a guess. */
const REUSE_KNOWN_DAYS = 30;
/** A statement of so many is short. */
const MOST_AT_A_TIME = 5000;

/** Their tokens go with them. Rows that a refresh or a sign-out holds are left to it. @returns true where there may be more */
export async function deleteFinishedSessions(queries: Queries, nowIso: string): Promise<boolean> {
  const gone = await queries.query(
    `delete from auth.sessions where id in (
       select id from auth.sessions
       where not_after < $1::text::timestamptz - make_interval(days => $2::text::int)
         or updated_at < $1::text::timestamptz - make_interval(days => $3::text::int)
       order by id limit $4::text::int for update skip locked) returning 1 as one`,
    [nowIso, REUSE_KNOWN_DAYS, ABANDONED_DAYS, MOST_AT_A_TIME],
  );
  return gone.length === MOST_AT_A_TIME;
}

/** The one token of each session that is still to be used stays. @returns true where there may be more */
export async function deleteLongUsedTokens(queries: Queries, nowIso: string): Promise<boolean> {
  const gone = await queries.query(
    `delete from auth.refresh_tokens where id in (
       select id from auth.refresh_tokens
       where used_at < $1::text::timestamptz - make_interval(days => $2::text::int)
       order by id limit $3::text::int for update skip locked) returning 1 as one`,
    [nowIso, REUSE_KNOWN_DAYS, MOST_AT_A_TIME],
  );
  return gone.length === MOST_AT_A_TIME;
}
