/**
 * Accounts as mails and codes see them. Each statement here runs alike for an address that has an account and for one
 * that has none, so that neither an answer nor its time tells which.
 */
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database.ts';

export interface MailAccount {
  id: string;
  /** Null for accounts that sign in without an address. */
  email: string | null;
  passwordHash: string | null;
  /** A sign-in link or a recovery was asked for, now or ever. */
  isLinkAskedFor: boolean;
  isConfirmed: boolean;
  isBanned: boolean;
  /** Signs in through an organisation alone. */
  isSso: boolean;
  /** The address that is to become the account's. */
  emailChange: string | null;
  /** How many of the two addresses have agreed to it. */
  emailChangeProofs: number;
}

const accountRow = z.object({
  id: z.string(),
  email: z.nullable(z.string()),
  passwordHash: z.nullable(z.string()),
  isLinkAskedFor: z.boolean(),
  isConfirmed: z.boolean(),
  isBanned: z.boolean(),
  isSso: z.boolean(),
  emailChange: z.nullable(z.string()),
  emailChangeProofs: z.number(),
});

const SELECT_ACCOUNT = `select u.id::text as id, u.email, u.encrypted_password as "passwordHash",
  u.recovery_sent_at is not null as "isLinkAskedFor",
  u.email_confirmed_at is not null as "isConfirmed",
  coalesce(u.banned_until > $2::text::timestamptz, false) as "isBanned", u.is_sso_user as "isSso",
  nullif(u.email_change, '') as "emailChange", u.email_change_proofs::int as "emailChangeProofs"
  from auth.users u`;

/** Locks the account's row. @param email trimmed and in lower case */
export async function lockAccountByEmail(queries: Queries, email: string, nowIso: string): Promise<MailAccount | null> {
  return toAccount(
    await queries.query(`${SELECT_ACCOUNT} where lower(u.email) = $1::text and not u.is_sso_user for no key update`, [
      email,
      nowIso,
    ]),
  );
}

/** Locks the account's row. */
export async function lockAccount(queries: Queries, userId: string, nowIso: string): Promise<MailAccount | null> {
  return toAccount(
    await queries.query(`${SELECT_ACCOUNT} where u.id = $1::text::uuid for no key update`, [userId, nowIso]),
  );
}

export interface WantedUser {
  /** A fresh UUID. */
  id: string;
  email: string;
  passwordHash: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** False: nothing is written, with the same statements. */
  isWanted: boolean;
}

/** The account and its `email` identity, unless the address is taken. */
export async function insertUserUnlessTaken(queries: Queries, user: WantedUser, nowIso: string): Promise<void> {
  await queries.query(
    `insert into auth.users (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
     select $1::text::uuid, $2::text, $3::text, '{"provider": "email", "providers": ["email"]}'::jsonb, $4::text::jsonb,
       $5::text::timestamptz, $5::text::timestamptz
     where $6::text::boolean
     on conflict do nothing`,
    [user.id, user.email, user.passwordHash, JSON.stringify(user.metadata), nowIso, user.isWanted],
  );
  const identity = { sub: user.id, email: user.email, email_verified: false, phone_verified: false };
  await queries.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select u.id::text, u.id, $2::text::jsonb, 'email', $3::text::timestamptz, $3::text::timestamptz, $3::text::timestamptz
     from auth.users u where u.id = $1::text::uuid`,
    [user.id, JSON.stringify(identity), nowIso],
  );
}

/**
 * Removes the password of an account whose address nobody has proven yet.
 *
 * @param userId  null: nothing is written, with the same statement
 */
export async function dropUnprovenPassword(queries: Queries, userId: string | null): Promise<void> {
  await queries.query(
    'update auth.users set encrypted_password = null where id = $1::text::uuid and email_confirmed_at is null',
    [userId],
  );
}

function toAccount(rows: readonly unknown[]): MailAccount | null {
  return rows.length === 0 ? null : accountRow.parse(rows[0]);
}
