/** Deletes leftovers of ended sessions: rows that can't be used and carry no information any more. */
import type { Queries } from '../../../platform/database/database.ts';

/**
 * A session not refreshed for this long counts as abandoned: an access token lasts an hour, so the browser hasn't
 * returned. docs/operating.md documents the value.
 */
const ABANDONED_DAYS = 90;
/** Tokens of ended sessions, and used tokens of live ones, are retained for this long to tell theft from a guess. */
const REUSE_KNOWN_DAYS = 30;
/** Keeps each statement short. */
const MOST_AT_A_TIME = 5000;

/** Also deletes their tokens. Skips rows locked by a refresh or a sign-out. @returns true if there may be more */
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

/** Leaves each session's one unused token. @returns true if there may be more */
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
