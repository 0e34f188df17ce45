import * as z from 'zod/mini';
import type { Queries, Transaction } from '../../../platform/database/database.ts';
import type { SignedIn } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { type AssuranceLevel, sessionProofs } from './session-store.ts';

/**
 * The lower of the token's level and the session's current one: neither an old nor a stolen token is enough. Locks the
 * account, then its sessions. @throws AuthError 403 session_not_found
 */
export async function assuranceUnderLock(tx: Transaction, signedIn: SignedIn): Promise<AssuranceLevel> {
  const aal = await lockAssurance(tx, signedIn);
  if (aal === null) throw sessionEnded();
  return aal === 'aal2' && signedIn.aal === 'aal2' ? 'aal2' : 'aal1';
}

export function sessionEnded(): AuthError {
  return new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
}

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

/** Beyond this age another person may be using an open browser. Same as on a hosted project. */
const FRESH_PROOF_S = 24 * 60 * 60;

/**
 * The newest proof counts, whatever its method: a user who just used a recovery mail needs no further code.
 * @param what names the action in the refusal. @throws AuthError 400 reauthentication_needed
 */
export async function requireFreshProof(
  queries: Queries,
  sessionId: string,
  nowIso: string,
  what: string,
): Promise<void> {
  const proofs = await sessionProofs(queries, sessionId);
  const newestS = proofs?.amr[0]?.timestamp ?? 0;
  if (Date.parse(nowIso) / 1000 - newestS > FRESH_PROOF_S)
    throw new AuthError(400, 'reauthentication_needed', `${what} requires reauthentication`);
}

/**
 * Requires the second factor, if one is set up, and a proof within the last day.
 * @throws AuthError 401 insufficient_aal, 400 reauthentication_needed, 403 session_not_found
 */
export async function requireStrongSession(tx: Transaction, signedIn: SignedIn, nowIso: string): Promise<void> {
  const aal = await assuranceUnderLock(tx, signedIn);
  if (aal !== 'aal2' && (await hasVerifiedFactor(tx, signedIn.userId)))
    throw new AuthError(
      401,
      'insufficient_aal',
      'AAL2 session is required to link or unlink an identity when MFA is enabled.',
    );
  await requireFreshProof(tx, signedIn.sessionId, nowIso, 'Linking or unlinking an identity');
}
