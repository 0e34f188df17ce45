/**
 * Which account somebody has who comes from a provider: the one that knows the identity, the one with the same proven
 * address, or a new one. An address that the provider has not proven opens nothing that exists.
 */
import { randomUUID } from 'node:crypto';
import { OWNER, SqlError, type Transaction } from '../../platform/database.ts';
import type { AuthDeps } from './auth-deps.ts';
import { AuthError } from './auth-error.ts';
import {
  findIdentity,
  handToProvenOwner,
  insertIdentity,
  insertProvidedUser,
  type LockedAccount,
  lockAccount,
  lockAccountByEmail,
  refreshIdentity,
  setMetadata,
  setProviders,
} from './identity-store.ts';
import type { ProviderProfile } from './oauth-provider.ts';
import { mergedMetadata } from './provider-profile.ts';

type AccountDeps = Pick<AuthDeps, 'database' | 'verifier' | 'settings'>;

/** Two who come at the same moment get in each other's way once or twice, not more. */
const MAX_TRIES = 4;

/** The account changed between the look and the lock. */
class AccountMoved extends Error {
  override readonly name = 'AccountMoved';
}

/**
 * @param alongside  runs in the same transaction, for what must not happen twice
 * @returns the account's id
 * @throws AuthError 403 user_banned, 422 provider_email_needs_verification, 500 unexpected_failure without an address
 */
export async function accountOf(
  deps: AccountDeps,
  profile: ProviderProfile,
  nowIso: string,
  alongside: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<string> {
  return inTurn(deps, async (tx) => {
    await alongside(tx);
    const resolved = await resolve(tx, profile, nowIso);
    if (resolved.account.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
    const confirmed = await confirm(tx, resolved, profile, nowIso);
    if (deps.settings.isConfirmationRequired && !confirmed.isConfirmed) throw needsVerification(profile);
    await setProviders(tx, resolved.account.userId);
    return { userId: resolved.account.userId, endedSessions: confirmed.endedSessions };
  });
}

/**
 * Links one more identity to an account.
 * @throws AuthError 422 identity_already_exists, 403 user_banned, 403 user_not_found
 */
export async function linkIdentity(
  deps: AccountDeps,
  userId: string,
  profile: ProviderProfile,
  nowIso: string,
  alongside: (tx: Transaction) => Promise<void> = async () => undefined,
): Promise<string> {
  return inTurn(deps, async (tx) => {
    await alongside(tx);
    const account = await lockAccount(tx, userId, nowIso);
    if (account === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
    if (account.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
    const known = await findIdentity(tx, profile);
    if (known !== null) {
      const whose = known.userId === userId ? '' : ' to another user';
      throw new AuthError(422, 'identity_already_exists', `Identity is already linked${whose}`);
    }
    await insertIdentity(tx, { ...profile, userId, data: profile.identityData }, nowIso);
    await setProviders(tx, userId);
    return { userId, endedSessions: [] };
  });
}

async function inTurn(
  deps: AccountDeps,
  work: (tx: Transaction) => Promise<{ userId: string; endedSessions: readonly string[] }>,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { userId, endedSessions } = await deps.database.transaction(OWNER, work);
      deps.verifier.endSessions(endedSessions);
      return userId;
    } catch (error) {
      const isRace = error instanceof AccountMoved || (error instanceof SqlError && error.code === '23505');
      if (!isRace || tries === MAX_TRIES) throw error;
    }
  }
}

interface Resolved {
  account: LockedAccount;
  identityId: string;
}

async function resolve(tx: Transaction, profile: ProviderProfile, nowIso: string): Promise<Resolved> {
  const known = await findIdentity(tx, profile);
  if (known !== null) {
    const account = await lockAccount(tx, known.userId, nowIso);
    const data = profile.identityData;
    if (account === null || !(await refreshIdentity(tx, { ...known, data }, nowIso))) throw new AccountMoved();
    await setMetadata(tx, account.userId, mergedMetadata(account.metadata, data), nowIso);
    return { account, identityId: known.identityId };
  }
  if (profile.email === null)
    throw new AuthError(500, 'unexpected_failure', 'Error getting user email from external provider');
  const holder = await lockAccountByEmail(tx, profile.email, nowIso);
  if (holder === null) return newAccount(tx, profile, profile.email, nowIso);
  if (!profile.isEmailVerified) throw needsVerification(profile);
  const { userId } = holder;
  const identityId = await insertIdentity(tx, { ...profile, userId, data: profile.identityData }, nowIso);
  await setMetadata(tx, userId, mergedMetadata(holder.metadata, profile.identityData), nowIso);
  return { account: holder, identityId };
}

async function newAccount(tx: Transaction, profile: ProviderProfile, email: string, nowIso: string): Promise<Resolved> {
  const userId = randomUUID();
  const isConfirmed = profile.isEmailVerified;
  const metadata = profile.identityData;
  await insertProvidedUser(tx, { id: userId, email, isConfirmed, metadata }, nowIso);
  const identityId = await insertIdentity(tx, { ...profile, userId, data: metadata }, nowIso);
  return { account: { userId, email, isConfirmed, isBanned: false, metadata }, identityId };
}

/** The provider proves the account's own address, which nobody had proven before. */
async function confirm(
  tx: Transaction,
  { account, identityId }: Resolved,
  profile: ProviderProfile,
  nowIso: string,
): Promise<{ isConfirmed: boolean; endedSessions: readonly string[] }> {
  if (account.isConfirmed) return { isConfirmed: true, endedSessions: [] };
  if (!profile.isEmailVerified || profile.email !== account.email) return { isConfirmed: false, endedSessions: [] };
  const owner = { userId: account.userId, keptIdentityId: identityId, metadata: profile.identityData };
  return { isConfirmed: true, endedSessions: await handToProvenOwner(tx, owner, nowIso) };
}

/** The same words whether or not the address is somebody's. */
function needsVerification({ provider }: ProviderProfile): AuthError {
  return new AuthError(
    422,
    'provider_email_needs_verification',
    `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
  );
}
