import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER, type Transaction } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import type { LockedAccount } from '../user-store.ts';
import { listIdentities, removeIdentity, type StoredIdentity, setProviders } from './identity-store.ts';
import { leaveForProvider } from './oauth.ts';
import { lockOwnIdentities } from './provider-accounts.ts';

const uuid = z.uuid();

/**
 * Checks the requirements of linking here and again in the callback.
 * @throws AuthError 400 validation_failed, reauthentication_needed; 401 insufficient_aal; 422 user_sso_managed
 */
export async function authorizeIdentity(c: Context, deps: AuthDeps): Promise<Response> {
  const signedIn = await requireSession(c, deps);
  const now = nowIso(deps);
  await deps.database.transaction(OWNER, (tx) => lockOwnIdentities(tx, signedIn, now));
  return leaveForProvider(c, deps, signedIn);
}

/**
 * @throws AuthError 404 validation_failed, 422 single_identity_not_deletable, identity_not_found,
 * email_conflict_identity_not_deletable, user_sso_managed; 401 insufficient_aal, 400 reauthentication_needed
 */
export async function deleteIdentity(c: Context, deps: AuthDeps): Promise<Record<string, never>> {
  const signedIn = await requireSession(c, deps);
  const id = uuid.safeParse(c.req.param('id'));
  if (!id.success) throw new AuthError(404, 'validation_failed', 'identity_id must be an UUID');
  const now = nowIso(deps);
  await deps.database.transaction(OWNER, async (tx) => {
    // Serializes concurrent unlinking, so that the second request sees what the first has left.
    await unlink(tx, await lockOwnIdentities(tx, signedIn, now), id.data.toLowerCase());
  });
  return {};
}

async function unlink(tx: Transaction, account: LockedAccount, identityId: string): Promise<void> {
  const identities = await listIdentities(tx, account.id);
  if (identities.length <= 1)
    throw new AuthError(422, 'single_identity_not_deletable', 'User must have at least 1 identity after unlinking');
  const leaving = identities.find((identity) => identity.identityId === identityId);
  if (leaving === undefined) throw new AuthError(422, 'identity_not_found', "Identity doesn't exist");
  const left = identities.filter((identity) => identity !== leaving);
  requireAddressStays(account, leaving, left);
  await removeIdentity(tx, identityId);
  await setProviders(tx, account.id);
}

/**
 * Changing the address requires the mails of a change, so the identity with that address can only be removed if another
 * verified one has it. Reads nothing outside the account, so the answer reveals nothing about others.
 */
function requireAddressStays(account: LockedAccount, leaving: StoredIdentity, left: readonly StoredIdentity[]): void {
  const email = account.email?.toLowerCase() ?? null;
  if (email === null || leaving.email !== email) return;
  if (left.some((identity) => identity.email === email && identity.isEmailVerified)) return;
  throw new AuthError(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict');
}
