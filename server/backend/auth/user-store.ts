import * as z from 'zod/mini';
import type { Queries } from '../../platform/database/database.ts';

const metadata = z.record(z.string(), z.unknown());
const authUser = z.looseObject({
  id: z.string(),
  aud: z.string(),
  role: z.string(),
  email: z.string(),
  phone: z.string(),
  app_metadata: metadata,
  user_metadata: metadata,
  is_anonymous: z.boolean(),
  email_confirmed_at: z.optional(z.string()),
  factors: z.optional(z.array(z.looseObject({ id: z.string(), factor_type: z.string(), status: z.string() }))),
});

/** In the protocol's form; times in ISO 8601, absent if not set. */
export type AuthUser = z.infer<typeof authUser>;

export interface StoredUser {
  user: AuthUser;
  passwordHash: string | null;
  isBanned: boolean;
}

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const USER_JSON = `json_build_object(
  'id', u.id, 'aud', u.aud, 'role', u.role,
  'email', coalesce(u.email, ''), 'email_confirmed_at', ${iso('u.email_confirmed_at')},
  'phone', coalesce(u.phone, ''), 'phone_confirmed_at', ${iso('u.phone_confirmed_at')},
  'confirmed_at', ${iso('u.confirmed_at')}, 'last_sign_in_at', ${iso('u.last_sign_in_at')},
  'invited_at', ${iso('u.invited_at')}, 'confirmation_sent_at', ${iso('u.confirmation_sent_at')},
  'recovery_sent_at', ${iso('u.recovery_sent_at')}, 'new_email', u.email_change,
  'email_change_sent_at', ${iso('u.email_change_sent_at')},
  'app_metadata', u.raw_app_meta_data, 'user_metadata', u.raw_user_meta_data,
  'identities', coalesce((select json_agg(json_build_object(
      'identity_id', i.id, 'id', i.provider_id, 'user_id', i.user_id, 'identity_data', i.identity_data,
      'provider', i.provider, 'last_sign_in_at', ${iso('i.last_sign_in_at')}, 'created_at', ${iso('i.created_at')},
      'updated_at', ${iso('i.updated_at')}, 'email', i.email) order by i.created_at, i.id)
    from auth.identities i where i.user_id = u.id), '[]'),
  'factors', (select json_agg(json_build_object(
      'id', f.id, 'friendly_name', coalesce(f.friendly_name, ''), 'factor_type', f.factor_type, 'status', f.status,
      'created_at', ${iso('f.created_at')}, 'updated_at', ${iso('f.updated_at')}) order by f.created_at, f.id)
    from auth.mfa_factors f where f.user_id = u.id),
  'created_at', ${iso('u.created_at')}, 'updated_at', ${iso('u.updated_at')}, 'is_anonymous', u.is_anonymous)::text`;

const SELECT_USER = `select ${USER_JSON} as "user", u.encrypted_password as "passwordHash",
  coalesce(u.banned_until > $2::text::timestamptz, false) as "isBanned" from auth.users u`;

const storedRow = z.object({
  user: z.string(),
  passwordHash: z.nullable(z.string()),
  isBanned: z.boolean(),
});

function toStored(rows: readonly unknown[]): StoredUser | null {
  if (rows.length === 0) return null;
  const row = storedRow.parse(rows[0]);
  const parsed: unknown = JSON.parse(row.user);
  const present = Object.entries(z.record(z.string(), z.unknown()).parse(parsed)).filter(([, value]) => value !== null);
  return { user: authUser.parse(Object.fromEntries(present)), passwordHash: row.passwordHash, isBanned: row.isBanned };
}

/**
 * Organisations' accounts are not found: their claim about an address opens no other. @param email trimmed, lower case
 */
export async function findUserByEmail(queries: Queries, email: string, nowIso: string): Promise<StoredUser | null> {
  const where = 'lower(u.email) = $1::text and not u.is_sso_user';
  return toStored(await queries.query(`${SELECT_USER} where ${where}`, [email, nowIso]));
}

export async function findUser(queries: Queries, userId: string, nowIso: string): Promise<StoredUser | null> {
  return toStored(await queries.query(`${SELECT_USER} where u.id = $1::text::uuid`, [userId, nowIso]));
}

export interface NewUser {
  id: string;
  email: string;
  passwordHash: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** False: nothing is written, with the same statements. */
  isWanted: boolean;
}

/**
 * Runs the same statements for an address with or without an account, so its timing doesn't reveal which.
 * @returns whether it was inserted
 */
export async function insertUserUnlessTaken(queries: Queries, user: NewUser, nowIso: string): Promise<boolean> {
  const inserted = await queries.query(
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
     select $1::text::uuid, $2::text, $3::text, '{"provider": "email", "providers": ["email"]}'::jsonb, $4::text::jsonb,
       $5::text::timestamptz, $5::text::timestamptz
     where $6::text::boolean
     on conflict do nothing returning 1`,
    [user.id, user.email, user.passwordHash, JSON.stringify(user.metadata), nowIso, user.isWanted],
  );
  const identity = { sub: user.id, email: user.email, email_verified: false, phone_verified: false };
  await queries.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select u.id::text, u.id, $2::text::jsonb, 'email', $3::text::timestamptz, $3::text::timestamptz, $3::text::timestamptz
     from auth.users u where u.id = $1::text::uuid`,
    [user.id, JSON.stringify(identity), nowIso],
  );
  return inserted.length === 1;
}

/**
 * Skips a banned account. The identities' update refers to the account's, so that the account's row is locked first:
 * PostgreSQL runs independent parts last to first.
 */
export async function markSignedIn(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with signed_in as (
       update auth.users set last_sign_in_at = $2::text::timestamptz, updated_at = $2::text::timestamptz
       where id = $1::text::uuid and not coalesce(banned_until > $2::text::timestamptz, false) returning id)
     update auth.identities set last_sign_in_at = $2::text::timestamptz, updated_at = $2::text::timestamptz
     where user_id in (select id from signed_in) and provider = 'email'`,
    [userId, nowIso],
  );
}

export interface UserChanges {
  passwordHash: string | null;
  /** Merged into the current metadata; a null value removes its key. */
  metadata: Readonly<Record<string, unknown>> | null;
}

export async function updateUser(
  queries: Queries,
  userId: string,
  changes: UserChanges,
  nowIso: string,
): Promise<void> {
  await queries.query(
    `update auth.users set
       encrypted_password = coalesce($2::text, encrypted_password),
       raw_user_meta_data = coalesce((
         select jsonb_object_agg(entry.key, entry.value)
         from jsonb_each(raw_user_meta_data || $3::text::jsonb) as entry where entry.value <> 'null'::jsonb), '{}'),
       updated_at = $4::text::timestamptz
     where id = $1::text::uuid`,
    [userId, changes.passwordHash, JSON.stringify(changes.metadata ?? {}), nowIso],
  );
}

/** Only of an account whose address is not proven yet. @param userId null: the same statement writes nothing */
export async function dropUnconfirmedPassword(queries: Queries, userId: string | null): Promise<void> {
  await queries.query(
    'update auth.users set encrypted_password = null where id = $1::text::uuid and email_confirmed_at is null',
    [userId],
  );
}

const lockedRow = z.object({
  id: z.string(),
  /** Null for accounts that sign in without an address. */
  email: z.nullable(z.string()),
  passwordHash: z.nullable(z.string()),
  /** A sign-in link or a recovery has been requested at any time. */
  isLinkRequested: z.boolean(),
  isConfirmed: z.boolean(),
  isBanned: z.boolean(),
  /** Signs in only through an organisation. */
  isSso: z.boolean(),
  /** The requested new address, while a change is open. */
  emailChange: z.nullable(z.string()),
  /** How many of the two addresses have confirmed the change. */
  emailChangeProofs: z.number(),
  metadata,
});

/**
 * An account with its row locked: until the transaction ends, no one else changes it, its identities or its factors.
 * Code that decides something about an account takes this lock before any other lock on it. The lock doesn't block
 * foreign keys, because a refresh holds its session first and then reads the account.
 */
export type LockedAccount = z.infer<typeof lockedRow>;

const SELECT_ACCOUNT = `select u.id::text as id, u.email, u.encrypted_password as "passwordHash",
  u.recovery_sent_at is not null as "isLinkRequested",
  u.email_confirmed_at is not null as "isConfirmed",
  coalesce(u.banned_until > $2::text::timestamptz, false) as "isBanned", u.is_sso_user as "isSso",
  nullif(u.email_change, '') as "emailChange", u.email_change_proofs::int as "emailChangeProofs",
  u.raw_user_meta_data as metadata
  from auth.users u`;

/** Doesn't find accounts of organisations, like findUserByEmail. @param email trimmed and in lower case */
export async function lockAccountByEmail(
  queries: Queries,
  email: string,
  nowIso: string,
): Promise<LockedAccount | null> {
  return toAccount(
    await queries.query(`${SELECT_ACCOUNT} where lower(u.email) = $1::text and not u.is_sso_user for no key update`, [
      email,
      nowIso,
    ]),
  );
}

export async function lockAccount(queries: Queries, userId: string, nowIso: string): Promise<LockedAccount | null> {
  return toAccount(
    await queries.query(`${SELECT_ACCOUNT} where u.id = $1::text::uuid for no key update`, [userId, nowIso]),
  );
}

function toAccount(rows: readonly unknown[]): LockedAccount | null {
  return rows.length === 0 ? null : lockedRow.parse(rows[0]);
}
