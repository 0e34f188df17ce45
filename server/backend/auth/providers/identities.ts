/** The identities an account signs in with: linking one more, and unlinking. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER, SqlError, type Transaction } from '../../../platform/database.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import {
  type LockedAccount,
  listIdentities,
  lockAccount,
  removeIdentity,
  type StoredIdentity,
  setEmail,
  setProviders,
} from './identity-store.ts';
import { leaveForProvider } from './oauth.ts';

const uuid = z.uuid();

/** @throws AuthError 400 validation_failed */
export async function authorizeIdentity(c: Context, deps: AuthDeps): Promise<Response> {
  return leaveForProvider(c, deps, await requireSession(c, deps));
}

/**
 * @throws AuthError 404 validation_failed, 422 single_identity_not_deletable, identity_not_found,
 *         email_conflict_identity_not_deletable
 */
export async function deleteIdentity(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  const { userId } = await requireSession(c, deps);
  const id = uuid.safeParse(c.req.param('id'));
  if (!id.success) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  const now = nowIso(deps);
  try {
    await deps.database.transaction(OWNER, async (tx) => {
      // Two who unlink at once take turns, so that the second sees what the first has left.
      const account = await lockAccount(tx, userId, now);
      if (account === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
      await unlink(tx, account, id.data.toLowerCase(), now);
    });
  } catch (error) {
    if (error instanceof SqlError && error.code === '23505') throw emailConflict();
    throw error;
  }
  return {};
}

async function unlink(tx: Transaction, account: LockedAccount, identityId: string, now: string): Promise<void> {
  const identities = await listIdentities(tx, account.userId);
  if (identities.length <= 1)
    throw new AuthError(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
  const left = identities.filter((identity) => identity.identityId !== identityId);
  if (left.length === identities.length) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
  await removeIdentity(tx, identityId);
  await followEmail(tx, account, left, now);
  await setProviders(tx, account.userId);
}

/** The account's address stays while one of its identities has it; else it becomes the oldest one's. */
async function followEmail(
  tx: Transaction,
  account: LockedAccount,
  left: readonly StoredIdentity[],
  now: string,
): Promise<void> {
  if (left.some((identity) => identity.email === account.email)) return;
  const next = left.find((identity) => identity.email !== null);
  const { userId } = account;
  await setEmail(tx, { userId, email: next?.email ?? null, isConfirmed: next?.isEmailVerified ?? false }, now);
}

function emailConflict(): AuthError {
  return new AuthError(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict');
}
