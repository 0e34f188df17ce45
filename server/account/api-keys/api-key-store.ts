/** API keys in the database, stored as hashes. The caller that adds a key holds the account's lock. */
import { hash, randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { API_KEY_MARK, API_KEY_SIGNS } from '#domain/account/api-key.ts';
import type { Queries } from '../../platform/database/database.ts';

export interface NewApiKey {
  userId: string;
  name: string;
  prefix: string;
  /** Hex. */
  hash: string;
  isRaised: boolean;
  /** Null: valid until it is revoked. */
  expiresAtIso: string | null;
}

const idRow = z.object({ id: z.string() });

/** @param most  live keys that one user may have @returns the key's id; null when the user already has that many */
export async function addApiKey(
  queries: Queries,
  key: NewApiKey,
  { most, nowIso }: { most: number; nowIso: string },
): Promise<string | null> {
  await queries.query(
    `delete from public.api_keys where user_id = $1::text::uuid
       and least(revoked_at, expires_at) < $2::text::timestamptz - interval '90 days'`,
    [key.userId, nowIso],
  );
  const rows = await queries.query(
    `insert into public.api_keys (user_id, name, prefix, key_hash, is_raised, created_at, expires_at)
     select $1::text::uuid, $2::text, $3::text, decode($4::text, 'hex'), $5::boolean, $7::text::timestamptz, $6::text::timestamptz
      where (select count(*) from public.api_keys k where k.user_id = $1::text::uuid and k.revoked_at is null
               and (k.expires_at is null or k.expires_at > $7::text::timestamptz)) < $8::int
     returning id::text as id`,
    [key.userId, key.name, key.prefix, key.hash, key.isRaised, key.expiresAtIso, nowIso, most],
  );
  return rows.length === 0 ? null : idRow.parse(rows[0]).id;
}

/** @returns false for another user's key and for a key that is already revoked */
export async function revokeApiKey(
  queries: Queries,
  key: { userId: string; id: string },
  nowIso: string,
): Promise<boolean> {
  const rows = await queries.query(
    `update public.api_keys set revoked_at = $3::text::timestamptz
      where id = $1::text::uuid and user_id = $2::text::uuid and revoked_at is null returning 1`,
    [key.id, key.userId, nowIso],
  );
  return rows.length === 1;
}

const foundRow = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  prefix: z.string(),
  isRaised: z.boolean(),
  createdAt: z.string(),
  expiresAt: z.nullable(z.string()),
  isRevoked: z.boolean(),
  isExpired: z.boolean(),
  isBanned: z.boolean(),
  hasFactor: z.boolean(),
  isUseRecorded: z.boolean(),
});
export type FoundApiKey = z.infer<typeof foundRow>;

const iso = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of foundRow; $1 is the time. */
const FOUND = `select k.id::text as id, k.user_id::text as "userId", k.name, k.prefix, k.is_raised as "isRaised",
       ${iso('k.created_at')} as "createdAt", ${iso('k.expires_at')} as "expiresAt",
       k.revoked_at is not null as "isRevoked",
       coalesce(k.expires_at <= $1::text::timestamptz, false) as "isExpired",
       coalesce(u.banned_until > $1::text::timestamptz, false) as "isBanned",
       exists (select from auth.mfa_factors f where f.user_id = k.user_id and f.status = 'verified') as "hasFactor",
       coalesce(k.last_used_at >= date_trunc('hour', $1::text::timestamptz, 'UTC'), false) as "isUseRecorded"
     from public.api_keys k join auth.users u on u.id = k.user_id`;

/** Returns the key with its owner's current account state; null for an unknown key. @param hash hex */
export async function findApiKey(queries: Queries, hash: string, nowIso: string): Promise<FoundApiKey | null> {
  const rows = await queries.query(`${FOUND} where k.key_hash = decode($2::text, 'hex')`, [nowIso, hash]);
  return rows.length === 0 ? null : foundRow.parse(rows[0]);
}

/** The same for keys by their ids; unknown ones are left out. */
export async function findApiKeys(queries: Queries, ids: readonly string[], nowIso: string): Promise<FoundApiKey[]> {
  const rows = await queries.query(`${FOUND} where k.id = any ($2::text[]::uuid[])`, [nowIso, [...ids]]);
  return z.array(foundRow).parse(rows);
}

/** Stores only the hour: it hides when the owner works, and limits the writes to one an hour. */
export async function recordApiKeyUse(queries: Queries, id: string, nowIso: string): Promise<void> {
  await queries.query(
    `update public.api_keys set last_used_at = date_trunc('hour', $2::text::timestamptz, 'UTC')
      where id = $1::text::uuid and coalesce(last_used_at < date_trunc('hour', $2::text::timestamptz, 'UTC'), true)`,
    [id, nowIso],
  );
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

export function newApiKey(): string {
  const signs = Array.from({ length: API_KEY_SIGNS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return `${API_KEY_MARK}${signs.join('')}`;
}

/** Hex, without a salt: 238 random bits cannot be guessed, and the hash must find the key. */
export function hashOfApiKey(key: string): string {
  return hash('sha256', key);
}
