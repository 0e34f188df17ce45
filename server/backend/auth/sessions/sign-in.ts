/** The one place where somebody who has just proven who he is gets a session. */
import type { Context } from 'hono';
import type { Transaction } from '../../../platform/database/database.ts';
import type { AuthDeps } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { findUser, markSignedIn, type StoredUser } from '../user-store.ts';
import type { NewSession, OpenedSession } from './session-store.ts';
import { openSession } from './sessions.ts';

export interface SignedInAs {
  stored: StoredUser;
  session: OpenedSession;
}

/**
 * In the transaction of the proof itself, so that nobody who takes the account over comes between the two. The account's
 * row is locked first: what is read then stays so until the session is there.
 *
 * @throws AuthError 400 user_banned, 404 user_not_found
 */
export async function signInAs(
  tx: Transaction,
  c: Context,
  deps: AuthDeps,
  wanted: NewSession,
  nowIso: string,
): Promise<SignedInAs> {
  await markSignedIn(tx, wanted.userId, nowIso);
  const stored = await findUser(tx, wanted.userId, nowIso);
  if (stored === null) throw new AuthError(404, 'user_not_found', 'User not found');
  requireNotBanned(stored);
  return { stored, session: await openSession(tx, c, deps, wanted, nowIso) };
}

/** @throws AuthError 400 user_banned */
export function requireNotBanned(account: Pick<StoredUser, 'isBanned'>): void {
  if (account.isBanned) throw new AuthError(400, 'user_banned', 'User is banned');
}
