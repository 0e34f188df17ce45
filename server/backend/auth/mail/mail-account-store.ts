/**
 * Account statements for mails and codes. Each runs the same for an address with or without an account, so neither the
 * answer nor its timing reveals which.
 */
import type { Queries } from '../../../platform/database/database.ts';

export interface WantedUser {
  /** A fresh UUID. */
  id: string;
  email: string;
  passwordHash: string | null;
  metadata: Readonly<Record<string, unknown>>;
  /** False: nothing is written, with the same statements. */
  isWanted: boolean;
}

/** Inserts the account and its `email` identity, unless the address is taken. */
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
 * Removes the password of an account whose address is not proven yet.
 *
 * @param userId  null: nothing is written, with the same statement
 */
export async function dropUnprovenPassword(queries: Queries, userId: string | null): Promise<void> {
  await queries.query(
    'update auth.users set encrypted_password = null where id = $1::text::uuid and email_confirmed_at is null',
    [userId],
  );
}
