/**
 * Somebody has read what was mailed to an account's address.
 *
 * An account whose address nobody had proven may have been made by somebody else, with a password and sessions of their
 * own, in the hope that the owner would come later and use it. So the first proof by a sign-in link or a recovery takes
 * all of that away, and so does a confirmation where one of these was ever asked for: its reader may have typed the
 * newest code without a look at the mail. Any other confirmation keeps it, whoever asked for that mail again: what it
 * says is that an account was made with this address. Nothing is taken from who holds a live session of the account and
 * the mail at once. Decision: docs/decisions/008-proof-of-an-address.md.
 */
import type { Transaction } from '../../../platform/database/database.ts';
import { lockAccount } from '../account-store.ts';
import { AuthError } from '../auth-error.ts';
import { confirmEmail, dropUnprovenAccess } from './address-proof-store.ts';
import type { OneTimeToken } from './one-time-token-store.ts';

export interface ProvenAddress {
  /** No longer live: to be told to the verifier once the transaction is committed. */
  endedSessionIds: readonly string[];
}

/**
 * @param token        of any purpose but a change of address; spent already
 * @param liveCallerId  whose live session the request carries, null for none
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
