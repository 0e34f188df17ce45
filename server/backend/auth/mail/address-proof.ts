/**
 * Handles the proof that a person can read the mails to an account's address.
 *
 * An unproven account may have been created by a stranger, with their own password and sessions, in the hope that the
 * owner would use it later. So the first proof by a sign-in link or a recovery removes all of that. A confirmation does
 * too if one of these was ever requested, because its reader may have typed the newest code without reading the mail.
 * Any other confirmation keeps it, because its text states that an account was created with this address. Nothing is
 * removed if the reader of the mail also has a live session of the account. Decision:
 * docs/decisions/008-proof-of-an-address.md.
 */
import type { Transaction } from '../../../platform/database/database.ts';
import { lockAccount } from '../account-store.ts';
import { AuthError } from '../auth-error.ts';
import { confirmEmail, dropUnprovenAccess } from './address-proof-store.ts';
import type { OneTimeToken } from './one-time-token-store.ts';

export interface ProvenAddress {
  /** Sessions that ended: pass them to the verifier once the transaction is committed. */
  endedSessionIds: readonly string[];
}

/**
 * @param token  of any purpose but a change of address; spent already
 * @param liveCallerId  the user of the request's live session, null without one
 * @returns null when the account's address is no longer the one the mail went to
 * @throws AuthError 403 user_banned
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
  const isByMaker = token.purpose === 'confirmation' && !account.isLinkAskedFor;
  const isTaken = isFirstProof && !isByMaker && liveCallerId !== account.id;
  const endedSessionIds = isTaken
    ? await dropUnprovenAccess(tx, { userId: account.id, email: account.email, keptFlowId: token.flowId }, nowIso)
    : [];
  await confirmEmail(tx, account.id, nowIso);
  return { endedSessionIds };
}
