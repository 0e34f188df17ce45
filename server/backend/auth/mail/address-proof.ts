/**
 * A stranger may have created an unconfirmed account in the hope that the owner uses it later. So the first proof by a
 * sign-in link or a recovery removes whatever else opens the account. A confirmation does too if one of these was
 * ever requested, because its reader may have typed the newest code without reading the mail; any other confirmation
 * keeps them, because its text states that an account was created. Nothing is removed if the reader also has a live
 * session of the account: docs/decisions/008-proof-of-an-address.md.
 */
import type { Queries, Transaction } from '../../../platform/database/database.ts';
import { endAccess } from '../accounts/account-access.ts';
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
    ? await endAccess(
        tx,
        'first-proof',
        { userId: account.id, email: account.email, currentFlowId: token.flowId },
        nowIso,
      )
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
