/**
 * An account with its row locked: until the transaction ends, no one else changes it, its identities or its factors.
 * Code that decides something about an account takes this lock before any other lock on it. The lock doesn't block
 * foreign keys, because a refresh holds its session first and then reads the account.
 */
import * as z from 'zod/mini';
import type { Queries } from '../../platform/database/database.ts';

export interface LockedAccount {
  id: string;
  /** Null for accounts that sign in without an address. */
  email: string | null;
  passwordHash: string | null;
  /** A sign-in link or a recovery has been requested at any time. */
  isLinkAskedFor: boolean;
  isConfirmed: boolean;
  isBanned: boolean;
  /** Signs in only through an organisation. */
  isSso: boolean;
  /** The requested new address, while a change is open. */
  emailChange: string | null;
  /** How many of the two addresses have confirmed the change. */
  emailChangeProofs: number;
  metadata: Readonly<Record<string, unknown>>;
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
  metadata: z.record(z.string(), z.unknown()),
});

const SELECT_ACCOUNT = `select u.id::text as id, u.email, u.encrypted_password as "passwordHash",
  u.recovery_sent_at is not null as "isLinkAskedFor",
  u.email_confirmed_at is not null as "isConfirmed",
  coalesce(u.banned_until > $2::text::timestamptz, false) as "isBanned", u.is_sso_user as "isSso",
  nullif(u.email_change, '') as "emailChange", u.email_change_proofs::int as "emailChangeProofs",
  u.raw_user_meta_data as metadata
  from auth.users u`;

/** Doesn't find accounts of organisations: see user-store.ts. @param email trimmed and in lower case */
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
  return rows.length === 0 ? null : accountRow.parse(rows[0]);
}
