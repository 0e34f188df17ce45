/** A change of address in the database. The caller has locked the account's row. */
import type { Queries } from '../../../platform/database/database.ts';
import { deleteTokensOf } from './one-time-token-store.ts';

/** @param email trimmed and in lower case */
export async function isEmailTaken(queries: Queries, email: string): Promise<boolean> {
  const rows = await queries.query('select 1 from auth.users where lower(email) = $1::text and not is_sso_user', [
    email,
  ]);
  return rows.length > 0;
}

/** Confirmations of an earlier change don't count for this one. */
export async function openEmailChange(
  queries: Queries,
  change: { userId: string; newEmail: string },
  nowIso: string,
): Promise<void> {
  await queries.query(
    `with closed as (
       delete from auth.one_time_tokens
       where user_id = $1::text::uuid and purpose in ('email_change_current', 'email_change_new'))
     update auth.users set email_change = $2::text, email_change_proofs = 0, updated_at = $3::text::timestamptz
     where id = $1::text::uuid`,
    [change.userId, change.newEmail, nowIso],
  );
}

/** The change stays open, but both addresses must confirm again. @param userId  null: nothing is written */
export async function restartEmailChange(queries: Queries, userId: string | null): Promise<void> {
  await queries.query('update auth.users set email_change_proofs = 0 where id = $1::text::uuid', [userId]);
}

export async function countEmailChangeProof(queries: Queries, userId: string): Promise<void> {
  await queries.query('update auth.users set email_change_proofs = email_change_proofs + 1 where id = $1::text::uuid', [
    userId,
  ]);
}

/**
 * Makes the new address the account's, confirmed. Voids codes sent to the old one.
 *
 * @throws SqlError 23505 when another account has the address by now
 */
export async function applyEmailChange(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await deleteTokensOf(queries, userId);
  await queries.query(
    `update auth.users set email = email_change, email_confirmed_at = $2::text::timestamptz, email_change = null,
       email_change_proofs = 0, updated_at = $2::text::timestamptz,
       raw_app_meta_data = case when raw_app_meta_data -> 'providers' ? 'email' then raw_app_meta_data
         else raw_app_meta_data || jsonb_build_object('providers',
           coalesce(raw_app_meta_data -> 'providers', '[]'::jsonb) || '["email"]'::jsonb) end
     where id = $1::text::uuid`,
    [userId, nowIso],
  );
  await queries.query(
    `insert into auth.identities as i
       (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     select u.id::text, u.id, jsonb_build_object('sub', u.id, 'email', u.email, 'email_verified', true,
       'phone_verified', false), 'email', $2::text::timestamptz, $2::text::timestamptz, $2::text::timestamptz
     from auth.users u where u.id = $1::text::uuid
     on conflict (provider_id, provider) do update set identity_data = i.identity_data || excluded.identity_data,
       updated_at = excluded.updated_at`,
    [userId, nowIso],
  );
}
