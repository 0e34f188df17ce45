/**
 * Changes an account's address. The new address must confirm by mail; so must the current one, if confirmed: a person
 * who uses an open session can't take the address from its owner. Nothing else changes the address: linking and
 * unlinking identities do not (docs/decisions/011).
 */
import type { Queries, Transaction } from '../../../platform/database/database.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { lockAccount } from '../user-store.ts';
import { type LinkTarget, sendAccountMail } from './account-mailer.ts';
import { deleteTokensOf, type OneTimeToken } from './one-time-token-store.ts';
import { notifyOwner } from './security-notices.ts';

/** The hosted service's message after the first of two confirmations. */
export const ONE_MORE_CONFIRMATION =
  'Confirmation link accepted. Please proceed to confirm link sent to the other email';

export interface WantedEmailChange {
  userId: string;
  newEmail: string;
  target: LinkTarget;
}

/**
 * If sign-up hides which addresses have accounts (confirmation required), so does this: the mail to a taken address is
 * recorded but never sent, so the change can't complete. If sign-up reveals it anyway, so does this.
 * @throws AuthError 422 email_exists, 403 user_not_found
 */
export async function requestEmailChange(
  tx: Transaction,
  deps: AuthDeps,
  wanted: WantedEmailChange,
  nowIso: string,
): Promise<void> {
  const { userId, newEmail, target } = wanted;
  const account = await lockAccount(tx, userId, nowIso);
  if (account === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (!deps.settings.isConfirmationRequired && (await isEmailTaken(tx, newEmail))) throw emailExists();
  await openEmailChange(tx, { userId, newEmail }, nowIso);
  const currentEmail = account.email ?? newEmail;
  await sendEmailChangeMails(
    tx,
    deps,
    { userId, newEmail, currentEmail, mustCurrentConfirm: account.isConfirmed, target },
    nowIso,
  );
}

export interface EmailChangeMails {
  /** Null: no account, or no open change. The same statements run, and nothing is sent. */
  userId: string | null;
  newEmail: string;
  currentEmail: string;
  /** Whether the current address must confirm. */
  mustCurrentConfirm: boolean;
  /** The new address has received too many mails: this one is recorded but never sent. */
  isNewFull?: boolean;
  target: LinkTarget;
}

/** Sends a mail to each address; earlier confirmations are reset. */
export async function sendEmailChangeMails(
  tx: Transaction,
  deps: AuthDeps,
  change: EmailChangeMails,
  nowIso: string,
): Promise<void> {
  const { userId, newEmail, currentEmail, target } = change;
  const isSuppressed = (await isEmailTaken(tx, newEmail)) || change.isNewFull === true;
  await restartEmailChange(tx, userId);
  const currentUserId = change.mustCurrentConfirm ? userId : null;
  const toCurrent = { userId: currentUserId, purpose: 'email_change_current' as const, to: currentEmail };
  const toNew = { userId, purpose: 'email_change_new' as const, to: newEmail, isSuppressed };
  await sendAccountMail(tx, deps, { ...toCurrent, newEmail, target }, nowIso);
  await sendAccountMail(tx, deps, { ...toNew, newEmail, target }, nowIso);
}

export type EmailChangeStep = 'changed' | 'one-more';

/**
 * @param token of this change; spent already. @returns null when the account no longer has this change open
 * @throws AuthError 403 user_banned; SqlError 23505 when another account has the address by now
 */
export async function agreeToEmailChange(
  tx: Transaction,
  token: OneTimeToken,
  nowIso: string,
): Promise<EmailChangeStep | null> {
  const account = await lockAccount(tx, token.userId, nowIso);
  if (account === null || account.emailChange === null) return null;
  const isNew = token.purpose === 'email_change_new';
  const agreeing = isNew ? account.emailChange : account.email;
  if (agreeing?.toLowerCase() !== token.email.toLowerCase()) return null;
  if (account.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
  const needsBoth = account.isConfirmed && account.email !== null;
  if (needsBoth ? account.emailChangeProofs === 0 : !isNew) {
    await countEmailChangeProof(tx, account.id);
    return 'one-more';
  }
  // Notifies the old address, before the change replaces it.
  await notifyOwner(tx, account.id, 'email_changed', nowIso);
  await applyEmailChange(tx, account.id, nowIso);
  return 'changed';
}

export function emailExists(): AuthError {
  return new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
}

/** @param email trimmed and in lower case */
export async function isEmailTaken(queries: Queries, email: string): Promise<boolean> {
  const rows = await queries.query('select 1 from auth.users where lower(email) = $1::text and not is_sso_user', [
    email,
  ]);
  return rows.length > 0;
}

/** Confirmations of an earlier change don't count for this one. */
async function openEmailChange(
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
async function restartEmailChange(queries: Queries, userId: string | null): Promise<void> {
  await queries.query('update auth.users set email_change_proofs = 0 where id = $1::text::uuid', [userId]);
}

async function countEmailChangeProof(queries: Queries, userId: string): Promise<void> {
  await queries.query('update auth.users set email_change_proofs = email_change_proofs + 1 where id = $1::text::uuid', [
    userId,
  ]);
}

/** Voids codes sent to the old address. @throws SqlError 23505 when another account has the new one by now */
async function applyEmailChange(queries: Queries, userId: string, nowIso: string): Promise<void> {
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
