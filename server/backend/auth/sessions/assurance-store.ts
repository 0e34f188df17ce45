/**
 * The assurance level of sessions: raised by a second factor, lowered when that factor is removed. Call `lockAssurance`
 * first; the rest relies on its locks.
 */
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';
import type { AssuranceLevel } from './session-store.ts';

const sessionRow = z.object({ id: z.string(), aal: z.enum(['aal1', 'aal2']) });

/**
 * The database's current level of a session: a token's may be outdated. Locks the account, so that its factors change
 * one after the other, then all of its sessions, in the order of their ids. Null for a session that no longer exists.
 */
export async function lockAssurance(
  queries: Queries,
  session: { userId: string; sessionId: string },
): Promise<AssuranceLevel | null> {
  await queries.query('select 1 from auth.users where id = $1::text::uuid for no key update', [session.userId]);
  const rows = await queries.query(
    "select id::text as id, coalesce(aal::text, 'aal1') as aal from auth.sessions where user_id = $1::text::uuid order by id for update",
    [session.userId],
  );
  const own = z
    .array(sessionRow)
    .parse(rows)
    .find(({ id }) => id === session.sessionId);
  return own?.aal ?? null;
}

export async function hasVerifiedFactor(queries: Queries, userId: string): Promise<boolean> {
  const rows = await queries.query(
    `select 1 from auth.mfa_factors where user_id = $1::text::uuid and status = 'verified' limit 1`,
    [userId],
  );
  return rows.length > 0;
}

export async function raiseSession(
  queries: Queries,
  session: { sessionId: string; factorId: string },
  nowIso: string,
): Promise<void> {
  await queries.query(
    `with raised as (
       update auth.sessions set aal = 'aal2', factor_id = $2::text::uuid, updated_at = $3::text::timestamptz
       where id = $1::text::uuid returning id)
     insert into auth.mfa_amr_claims (session_id, authentication_method, created_at, updated_at)
     select id, 'totp', $3::text::timestamptz, $3::text::timestamptz from raised
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [session.sessionId, session.factorId, nowIso],
  );
}

/** @returns the ids of the account's other sessions, which had no second factor and ended */
export async function endWeakerSessions(
  queries: Queries,
  session: { userId: string; sessionId: string },
): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `delete from auth.sessions where user_id = $1::text::uuid and id <> $2::text::uuid and aal = 'aal1'
     returning id::text as id`,
    [session.userId, session.sessionId],
  );
  return rows.map(({ id }) => id);
}

/** Lowers sessions raised by this factor back to their first factor. */
export async function lowerSessionsOf(queries: Queries, factorId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with forgotten as (
       delete from auth.mfa_amr_claims where authentication_method = 'totp'
         and session_id in (select id from auth.sessions where factor_id = $1::text::uuid))
     update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2::text::timestamptz
     where factor_id = $1::text::uuid`,
    [factorId, nowIso],
  );
}
