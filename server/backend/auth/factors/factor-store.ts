/** Second factors and their challenges. The database ensures that codes and challenges are used only once. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';

const CHALLENGE_LIFE_S = 5 * 60;
/** After this time an unfinished setup must be started again. */
const UNVERIFIED_LIFE_S = 10 * 60;
/** A factor's oldest open challenges are deleted above this number. */
const MAX_CHALLENGES = 10;

const factorRow = z.object({ id: z.string(), status: z.enum(['unverified', 'verified']), secret: z.string() });

export interface Factor extends z.infer<typeof factorRow> {}

export interface FactorKey {
  factorId: string;
  userId: string;
}

export async function findFactor(queries: Queries, { factorId, userId }: FactorKey): Promise<Factor | null> {
  const rows = await queries.query(
    `select id::text as id, status, secret from auth.mfa_factors
     where id = $1::text::uuid and user_id = $2::text::uuid and factor_type = 'totp'`,
    [factorId, userId],
  );
  return rows.length === 0 ? null : factorRow.parse(rows[0]);
}

export async function deleteAbandonedFactors(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await queries.query(
    `delete from auth.mfa_factors where user_id = $1::text::uuid and status = 'unverified'
       and created_at <= $2::text::timestamptz - make_interval(secs => $3::float8)`,
    [userId, nowIso, UNVERIFIED_LIFE_S],
  );
}

export async function deleteUnverifiedFactors(queries: Queries, userId: string): Promise<void> {
  await queries.query(`delete from auth.mfa_factors where user_id = $1::text::uuid and status = 'unverified'`, [
    userId,
  ]);
}

export interface FactorCensus {
  total: number;
  verified: number;
  isNameTaken: boolean;
}

/** @param name  an empty one is never taken */
export async function countFactors(queries: Queries, userId: string, name: string): Promise<FactorCensus> {
  const rows = await queries.query(
    `select count(*)::int as total, count(*) filter (where status = 'verified')::int as verified,
       coalesce(bool_or(friendly_name = $2::text and friendly_name <> ''), false) as "isNameTaken"
     from auth.mfa_factors where user_id = $1::text::uuid`,
    [userId, name],
  );
  return z.object({ total: z.number(), verified: z.number(), isNameTaken: z.boolean() }).parse(rows[0]);
}

/** @param factor.secret  sealed @returns its id */
export async function insertFactor(
  queries: Queries,
  factor: { userId: string; friendlyName: string; secret: string },
  nowIso: string,
): Promise<string> {
  const id = randomUUID();
  await queries.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret, created_at, updated_at)
     values ($1::text::uuid, $2::text::uuid, $3::text, 'totp', $4::text, $5::text::timestamptz, $5::text::timestamptz)`,
    [id, factor.userId, factor.friendlyName, factor.secret, nowIso],
  );
  return id;
}

export async function deleteFactor(queries: Queries, { factorId, userId }: FactorKey): Promise<void> {
  await queries.query('delete from auth.mfa_factors where id = $1::text::uuid and user_id = $2::text::uuid', [
    factorId,
    userId,
  ]);
}

/** Also marks the factor verified. @returns false when this code, or a later one, was accepted before */
export async function acceptStep(queries: Queries, factorId: string, step: number, nowIso: string): Promise<boolean> {
  const rows = await queries.query(
    `update auth.mfa_factors set last_used_step = $2::bigint, status = 'verified', updated_at = $3::text::timestamptz
     where id = $1::text::uuid and coalesce(last_used_step, -1) < $2::bigint returning 1`,
    [factorId, step, nowIso],
  );
  return rows.length === 1;
}

/** @returns expiresAtS in epoch seconds */
export async function insertChallenge(
  queries: Queries,
  challenge: { factorId: string; address: string },
  nowIso: string,
): Promise<{ id: string; expiresAtS: number }> {
  const id = randomUUID();
  const expiresAtS = Math.floor(Date.parse(nowIso) / 1000) + CHALLENGE_LIFE_S;
  await queries.query(
    `delete from auth.mfa_challenges where factor_id = $1::text::uuid and id not in (
       select id from auth.mfa_challenges
       where factor_id = $1::text::uuid and verified_at is null and expires_at > $2::text::timestamptz
       order by created_at desc, id limit $3::int)`,
    [challenge.factorId, nowIso, MAX_CHALLENGES - 1],
  );
  await queries.query(
    `with challenged as (
       update auth.mfa_factors set last_challenged_at = $4::text::timestamptz where id = $2::text::uuid)
     insert into auth.mfa_challenges (id, factor_id, ip_address, created_at, expires_at)
     values ($1::text::uuid, $2::text::uuid, $3::text, $4::text::timestamptz, to_timestamp($5::float8))`,
    [id, challenge.factorId, challenge.address.slice(0, 100), nowIso, expiresAtS],
  );
  return { id, expiresAtS };
}

const challengeRow = z.object({ address: z.nullable(z.string()), isOpen: z.boolean() });

/** `isOpen`: neither used nor expired. */
export async function findChallenge(
  queries: Queries,
  challenge: { challengeId: string; factorId: string },
  nowIso: string,
): Promise<z.infer<typeof challengeRow> | null> {
  const rows = await queries.query(
    `select ip_address as address, verified_at is null and expires_at > $3::text::timestamptz as "isOpen"
     from auth.mfa_challenges where id = $1::text::uuid and factor_id = $2::text::uuid`,
    [challenge.challengeId, challenge.factorId, nowIso],
  );
  return rows.length === 0 ? null : challengeRow.parse(rows[0]);
}

/** Only one of several parallel callers gets true. */
export async function takeChallenge(queries: Queries, challengeId: string, nowIso: string): Promise<boolean> {
  const rows = await queries.query(
    `update auth.mfa_challenges set verified_at = $2::text::timestamptz
     where id = $1::text::uuid and verified_at is null and expires_at > $2::text::timestamptz returning 1`,
    [challengeId, nowIso],
  );
  return rows.length === 1;
}
