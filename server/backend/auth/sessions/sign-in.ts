/** The only place that opens a session after a user has proven their identity. */
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
 * Runs in the transaction of the proof, so that no takeover of the account comes in between. Locks the account's row
 * first, so what is read stays true until the session exists.
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
