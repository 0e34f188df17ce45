/**
 * A stranger may have created an unconfirmed account in the hope that the owner uses it later. So the first proof by a
 * sign-in link or a recovery removes the stranger's password and sessions. A confirmation does too if one of these was
 * ever requested, because its reader may have typed the newest code without reading the mail; any other confirmation
 * keeps them, because its text states that an account was created. Nothing is removed if the reader also has a live
 * session of the account: docs/decisions/008-proof-of-an-address.md.
 */
import * as z from 'zod/mini';
import type { Queries, Transaction } from '../../../platform/database/database.ts';
import { AuthError } from '../auth-error.ts';
import { lockAccount } from '../user-store.ts';
import type { OneTimeToken } from './one-time-token-store.ts';

export interface ProvenAddress {
  /** Sessions that ended: pass them to the verifier once the transaction is committed. */
  endedSessionIds: readonly string[];
}

/**
 * @param token of any purpose but a change of address; spent already
 * @param liveCallerId the user of the request's live session, null without one
 * @returns null when the account's address is no longer the mail's. @throws AuthError 403 user_banned
 */
export async function proveAddress(
  tx: Transaction,
  token: OneTimeToken,
  liveCallerId: string | null,
  nowIso: string,
): Promise<ProvenAddress | null> {
  const account = await lockAccount(tx, token.userId, nowIso);
  if (account === null || account.email?.toLowerCase() !== token.email.toLowerCase()) return null;
  if (account.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
  const isFirstProof = !account.isConfirmed;
  const isCreatorsConfirmation = token.purpose === 'confirmation' && !account.isLinkRequested;
  const mayBeStrangers = isFirstProof && !isCreatorsConfirmation && liveCallerId !== account.id;
  const endedSessionIds = mayBeStrangers
    ? await dropUnconfirmedAccess(tx, { userId: account.id, email: account.email, currentFlowId: token.flowId }, nowIso)
    : [];
  await confirmEmail(tx, account.id, nowIso);
  return { endedSessionIds };
}

/** Marks the address as confirmed, on the account and then on its `email` identity. */
export async function confirmEmail(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with confirmed as (
       update auth.users set email_confirmed_at = coalesce(email_confirmed_at, $2::text::timestamptz),
         updated_at = $2::text::timestamptz
       where id = $1::text::uuid returning id)
     update auth.identities set identity_data = identity_data || '{"email_verified": true}'::jsonb,
       updated_at = $2::text::timestamptz
     where user_id in (select id from confirmed) and provider = 'email'`,
    [userId, nowIso],
  );
}

const idRow = z.object({ id: z.string() });

/**
 * Removes another person's access: password, sessions, second factors, codes and links, an open change of address, and
 * identities not verified under this address. Name and picture stay: they grant no access.
 * @param account.currentFlowId the flow of the owner's present sign-in. @returns the ids of the ended sessions
 */
export async function dropUnconfirmedAccess(
  queries: Queries,
  account: { userId: string; email: string; currentFlowId: string | null },
  nowIso: string,
): Promise<string[]> {
  const { userId, email, currentFlowId } = account;
  const ended = await queries.query(
    `delete from auth.sessions where id in (
       select id from auth.sessions where user_id = $1::text::uuid order by id for update)
     returning id::text as id`,
    [userId],
  );
  await queries.query('delete from auth.mfa_factors where user_id = $1::text::uuid', [userId]);
  await queries.query('delete from auth.one_time_tokens where user_id = $1::text::uuid', [userId]);
  await queries.query(
    `delete from auth.flow_state where (user_id = $1::text::uuid or linking_user_id = $1::text::uuid)
       and ($2::text is null or id <> $2::text::uuid)`,
    [userId, currentFlowId],
  );
  await queries.query(
    `delete from auth.identities where user_id = $1::text::uuid and provider <> 'email'
       and not (coalesce(email = lower($2::text), false) and coalesce(identity_data ->> 'email_verified' = 'true', false))`,
    [userId, email],
  );
  await queries.query(
    `update auth.users u set encrypted_password = null, email_change = null, email_change_proofs = 0,
       raw_app_meta_data = u.raw_app_meta_data || jsonb_build_object('provider', 'email', 'providers', (
         select coalesce(jsonb_agg(i.provider order by i.created_at, i.id), '["email"]'::jsonb)
         from auth.identities i where i.user_id = u.id)),
       updated_at = $2::text::timestamptz
     where u.id = $1::text::uuid`,
    [userId, nowIso],
  );
  return ended.map((row) => idRow.parse(row).id);
}
