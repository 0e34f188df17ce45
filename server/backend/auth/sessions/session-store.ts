/**
 * Sessions and their refresh tokens. A token is exchanged once, for its one successor. The successor is derived, not
 * random: clients that refresh at the same moment all receive the same live token, though only hashes are stored.
 */
import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';
import type { SigningKeys } from '../keys/keys.ts';

/** Within this time a second use of a token counts as a retry by the same client; later, as a theft. */
const REUSE_WINDOW_S = 10;
/** How many exchanges back a token may be within the window. */
const MAX_STEPS = 16;

export interface SessionOrigin {
  userAgent: string | null;
  address: string;
}

export type AssuranceLevel = 'aal1' | 'aal2';

export interface SessionProof {
  /** `password`, `otp`, `oauth`, `web3`, `sso/saml`, `totp` ... */
  method: string;
  /** For `sso/saml`: its provider. */
  provider?: string;
}

export interface OpenedSession {
  sessionId: string;
  refreshToken: string;
  aal: AssuranceLevel;
  /** Newest first; times in epoch seconds. */
  amr: readonly (SessionProof & { timestamp: number })[];
}

export interface NewSession {
  userId: string;
  proof: SessionProof;
  /** Set if an organisation limits the session; absent or null for no limit. */
  notAfterIso?: string | null;
}

/** @param sessionId  a fresh UUID */
export async function insertSession(
  queries: Queries,
  session: NewSession & { sessionId: string; origin: SessionOrigin },
  nowIso: string,
): Promise<OpenedSession> {
  const { sessionId, userId, origin, proof } = session;
  const refreshToken = randomBytes(32).toString('base64url');
  await queries.query(
    `with opened as (
       insert into auth.sessions (id, user_id, created_at, updated_at, user_agent, ip, not_after)
       values ($1::text::uuid, $2::text::uuid, $3::text::timestamptz, $3::text::timestamptz, $4::text, $5::text,
         $8::text::timestamptz)
       returning id)
     insert into auth.mfa_amr_claims (session_id, authentication_method, provider, created_at, updated_at)
     select id, $6::text, $7::text, $3::text::timestamptz, $3::text::timestamptz from opened`,
    [
      sessionId,
      userId,
      nowIso,
      origin.userAgent?.slice(0, 1000) ?? null,
      origin.address.slice(0, 100),
      proof.method,
      proof.provider ?? null,
      session.notAfterIso ?? null,
    ],
  );
  await insertToken(queries, { token: refreshToken, parentHash: null, userId, sessionId }, nowIso);
  const amr = [{ ...proof, timestamp: Math.floor(Date.parse(nowIso) / 1000) }];
  return { sessionId, refreshToken, aal: 'aal1', amr };
}

const proofsRow = z.object({
  aal: z.enum(['aal1', 'aal2']),
  amr: z.array(z.object({ method: z.string(), timestamp: z.number(), provider: z.nullable(z.string()) })),
});

/** A session's current proofs; null if it no longer exists. */
export async function sessionProofs(
  queries: Queries,
  sessionId: string,
): Promise<Pick<OpenedSession, 'aal' | 'amr'> | null> {
  const rows = await queries.query(
    `select s.aal, coalesce((select json_agg(json_build_object('method', a.authentication_method,
         'timestamp', floor(extract(epoch from a.updated_at))::bigint, 'provider', a.provider)
         order by a.updated_at desc, a.authentication_method)
       from auth.mfa_amr_claims a where a.session_id = s.id), '[]') as amr
     from auth.sessions s where s.id = $1::text::uuid`,
    [sessionId],
  );
  if (rows.length === 0) return null;
  const { aal, amr } = proofsRow.parse(rows[0]);
  return { aal, amr: amr.map(({ provider, ...proof }) => (provider === null ? proof : { ...proof, provider })) };
}

export type RefreshOutcome =
  | { kind: 'refreshed'; userId: string; sessionId: string; refreshToken: string }
  | { kind: 'unknown' | 'expired' }
  /** The whole family is revoked now. */
  | { kind: 'reused'; sessionId: string };

const tokenRow = z.object({
  userId: z.string(),
  sessionId: z.string(),
  isRevoked: z.boolean(),
  isExpired: z.boolean(),
  usedAgoS: z.nullable(z.number()),
});
type TokenRow = z.infer<typeof tokenRow>;

/**
 * Exchanges a refresh token for its successor. A retry within REUSE_WINDOW_S gets the newest successor; a later reuse
 * revokes the family. Locks the session's row first, like signing out, so that requests take turns and never deadlock.
 */
export async function refreshSession(
  queries: Queries,
  keys: Pick<SigningKeys, 'successorOf'>,
  presented: string,
  nowIso: string,
): Promise<RefreshOutcome> {
  await lockSessionOf(queries, presented);
  let token = presented;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const row = await findToken(queries, token, nowIso);
    if (row === null) return { kind: 'unknown' };
    const { userId, sessionId } = row;
    if (row.isRevoked) return { kind: 'reused', sessionId };
    if (row.isExpired) return { kind: 'expired' };
    if (row.usedAgoS === null) {
      // Exchanges the presented token itself; a successor found in the loop is already the live one.
      const refreshToken = step === 0 ? await exchange(queries, keys, token, row, nowIso) : token;
      return { kind: 'refreshed', userId, sessionId, refreshToken };
    }
    if (row.usedAgoS > REUSE_WINDOW_S) {
      await revokeFamily(queries, sessionId, nowIso);
      return { kind: 'reused', sessionId };
    }
    token = keys.successorOf(token);
  }
  return { kind: 'unknown' };
}

/**
 * Issues a new refresh token after a second factor was verified. The old token counts as exchanged, so its holder
 * doesn't gain the higher level.
 */
export async function renewToken(
  queries: Queries,
  session: { userId: string; sessionId: string },
  nowIso: string,
): Promise<string> {
  const used = await queries.query<{ hash: string }>(
    `update auth.refresh_tokens set used_at = $2::text::timestamptz, updated_at = $2::text::timestamptz
     where session_id = $1::text::uuid and used_at is null and not revoked returning token_hash as hash`,
    [session.sessionId, nowIso],
  );
  const token = randomBytes(32).toString('base64url');
  await insertToken(queries, { token, parentHash: used[0]?.hash ?? null, ...session }, nowIso);
  return token;
}

/**
 * Signs a user out of all sessions, of this one, or of all others.
 *
 * @returns ids of the deleted sessions
 */
export async function deleteSessions(
  queries: Queries,
  scope: 'global' | 'local' | 'others',
  session: { userId: string; sessionId: string },
): Promise<string[]> {
  const which = {
    // Mentions $2 only because every parameter must occur in the statement.
    global: 'true or id = $2::text::uuid',
    local: 'id = $2::text::uuid',
    others: 'id <> $2::text::uuid',
  }[scope];
  // Locked in the order of their ids, as everywhere, so two requests that end sessions never deadlock.
  const rows = await queries.query<{ id: string }>(
    `delete from auth.sessions where id in (
       select id from auth.sessions where user_id = $1::text::uuid and (${which}) order by id for update)
     returning id::text as id`,
    [session.userId, session.sessionId],
  );
  return rows.map((row) => row.id);
}

async function lockSessionOf(queries: Queries, token: string): Promise<void> {
  await queries.query(
    `select 1 from auth.sessions
     where id = (select session_id from auth.refresh_tokens where token_hash = $1::text) for update`,
    [hash('sha256', token)],
  );
}

async function findToken(queries: Queries, token: string, nowIso: string): Promise<TokenRow | null> {
  const rows = await queries.query(
    `select r.user_id::text as "userId", r.session_id::text as "sessionId", r.revoked as "isRevoked",
       coalesce(s.not_after <= $2::text::timestamptz, false) as "isExpired",
       extract(epoch from $2::text::timestamptz - r.used_at)::float8 as "usedAgoS"
     from auth.refresh_tokens r join auth.sessions s on s.id = r.session_id
     where r.token_hash = $1::text`,
    [hash('sha256', token), nowIso],
  );
  return rows.length === 0 ? null : tokenRow.parse(rows[0]);
}

async function exchange(
  queries: Queries,
  keys: Pick<SigningKeys, 'successorOf'>,
  token: string,
  row: TokenRow,
  nowIso: string,
): Promise<string> {
  const successor = keys.successorOf(token);
  await queries.query(
    `with used as (
       update auth.refresh_tokens set used_at = $2::text::timestamptz, updated_at = $2::text::timestamptz
       where token_hash = $1::text)
     update auth.sessions set refreshed_at = $2::text::timestamptz, updated_at = $2::text::timestamptz
     where id = $3::text::uuid`,
    [hash('sha256', token), nowIso, row.sessionId],
  );
  const { userId, sessionId } = row;
  await insertToken(queries, { token: successor, parentHash: hash('sha256', token), userId, sessionId }, nowIso);
  return successor;
}

async function insertToken(
  queries: Queries,
  token: { token: string; parentHash: string | null; userId: string; sessionId: string },
  nowIso: string,
): Promise<void> {
  await queries.query(
    `insert into auth.refresh_tokens (token_hash, parent_hash, user_id, session_id, created_at, updated_at)
     values ($1::text, $2::text, $3::text::uuid, $4::text::uuid, $5::text::timestamptz, $5::text::timestamptz)`,
    [hash('sha256', token.token), token.parentHash, token.userId, token.sessionId, nowIso],
  );
}

/** The session stays as an ended row, so that a later use of any of its tokens still differs from a guess. */
async function revokeFamily(queries: Queries, sessionId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with family as (
       update auth.refresh_tokens set revoked = true, updated_at = $2::text::timestamptz
       where session_id = $1::text::uuid)
     update auth.sessions set not_after = $2::text::timestamptz, updated_at = $2::text::timestamptz
     where id = $1::text::uuid`,
    [sessionId, nowIso],
  );
}
