/** 60 random bits without look-alikes, stored as hashes. A caller that changes them holds the account's lock. */
import { hash, randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import type { Queries } from '../platform/database/database.ts';

const statusRow = z.object({ remaining: z.number(), createdAt: z.nullable(z.string()) });

/** `createdAt`: ISO 8601, UTC; null without codes. */
export async function recoveryCodeStatus(queries: Queries, userId: string): Promise<z.infer<typeof statusRow>> {
  const rows = await queries.query(
    `select count(*) filter (where used_at is null)::int as remaining,
       to_char(max(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"
     from private.recovery_codes where user_id = $1::text::uuid`,
    [userId],
  );
  return statusRow.parse(rows[0]);
}

export async function replaceRecoveryCodes(
  queries: Queries,
  codes: { userId: string; hashes: readonly string[] },
  nowIso: string,
): Promise<void> {
  await queries.query('delete from private.recovery_codes where user_id = $1::text::uuid', [codes.userId]);
  await queries.query(
    `insert into private.recovery_codes (user_id, code_hash, created_at)
     select $1::text::uuid, hash, $3::text::timestamptz from unnest($2::text[]) as hash`,
    [codes.userId, codes.hashes, nowIso],
  );
}

/** Returns true to one of several concurrent callers. */
export async function spendRecoveryCode(
  queries: Queries,
  code: { userId: string; hash: string },
  nowIso: string,
): Promise<boolean> {
  const rows = await queries.query(
    `update private.recovery_codes set used_at = $3::text::timestamptz
     where user_id = $1::text::uuid and code_hash = $2::text and used_at is null returning 1`,
    [code.userId, code.hash, nowIso],
  );
  return rows.length === 1;
}

/** Removes the account's factors, verified or not, and puts its sessions back on one factor. */
export async function removeFactors(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with forgotten as (
       delete from auth.mfa_amr_claims where authentication_method = 'totp'
         and session_id in (select id from auth.sessions where user_id = $1::text::uuid))
     update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2::text::timestamptz
     where user_id = $1::text::uuid and aal <> 'aal1'`,
    [userId, nowIso],
  );
  await queries.query('delete from auth.mfa_factors where user_id = $1::text::uuid', [userId]);
}

/** Removes codes that could still be exchanged for a session. */
export async function removeOpenFlows(queries: Queries, userId: string): Promise<void> {
  await queries.query('delete from auth.flow_state where user_id = $1::text::uuid', [userId]);
}

const addressRow = z.object({ email: z.nullable(z.string()), isConfirmed: z.boolean() });

/** The owner's address for change notices; null without a confirmed address. */
export async function ownersAddress(queries: Queries, userId: string): Promise<string | null> {
  const rows = await queries.query(
    `select email, email_confirmed_at is not null as "isConfirmed" from auth.users where id = $1::text::uuid`,
    [userId],
  );
  const { email, isConfirmed } = addressRow.parse(rows[0]);
  return isConfirmed && email !== '' ? email : null;
}

/** 32 characters: no i, l, o and u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 12;
const PLAIN = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Formatted for users: `xxxx-xxxx-xxxx`. */
export function newRecoveryCode(): string {
  const signs = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return (signs.match(/.{4}/g) ?? []).join('-');
}

/** Accepts capitals, spaces, missing hyphens, o for 0, and i or l for 1. Null if it isn't a code. */
export function readRecoveryCode(typed: string): string | null {
  const plain = typed
    .toLowerCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('o', '0')
    .replace(/[il]/g, '1');
  return PLAIN.test(plain) ? plain : null;
}

/** @param plain  from readRecoveryCode @returns the hash to store, salted with the user's id */
export function hashOfRecoveryCode(userId: string, plain: string): string {
  return hash('sha256', `${userId} ${plain}`);
}
