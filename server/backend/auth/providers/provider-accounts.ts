/**
 * Finds the account for a sign-in through a provider: the one with the identity, the one with the same verified
 * address, or a new one. An address that the provider has not verified opens no existing account.
 */
import { randomUUID } from 'node:crypto';
import { OWNER, SqlError, type Transaction } from '../../../platform/database/database.ts';
import { endAccess } from '../accounts/account-access.ts';
import type { AuthDeps, SignedIn } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import { notifyOwner } from '../mail/security-notices.ts';
import { requireStrongSession } from '../sessions/assurance.ts';
import { type LockedAccount, lockAccount, lockAccountByEmail } from '../user-store.ts';
import {
  findIdentity,
  handToProvenOwner,
  insertIdentity,
  insertProvidedUser,
  refreshIdentity,
  setMetadata,
  setProviders,
} from './identity-store.ts';
import type { ProviderProfile } from './oauth-provider.ts';
import { awaitPicture } from './provider-picture-store.ts';
import { mergeMetadata } from './provider-profile.ts';

/** With its row locked. */
type Account = Pick<LockedAccount, 'id' | 'email' | 'isConfirmed' | 'isBanned'>;
type AccountDeps = Pick<AuthDeps, 'database' | 'verifier' | 'settings'>;

/** Two simultaneous sign-ins collide once or twice, not more. */
const MAX_TRIES = 4;

/** The account changed between the read and the lock. */
class AccountMoved extends Error {
  override readonly name = 'AccountMoved';
}

/** Work that belongs in the same transaction. */
export interface AroundAccount<T> {
  /** Runs first: spends what must not be used twice. */
  before?: (tx: Transaction) => Promise<void>;
  /** Runs last, with the account's row locked: the purpose of the call. */
  andThen: (tx: Transaction, userId: string) => Promise<T>;
}

/**
 * @throws AuthError 403 user_banned, 422 provider_email_needs_verification, 500 unexpected_failure without an address
 */
export async function withAccountOf<T>(
  deps: AccountDeps,
  profile: ProviderProfile,
  nowIso: string,
  around: AroundAccount<T>,
): Promise<T> {
  return inTurn(deps, async (tx) => {
    await around.before?.(tx);
    const account = await resolve(tx, profile, nowIso);
    requireNotBanned(account);
    const { isConfirmed, endedSessions } = await confirm(tx, account, profile, nowIso);
    if (deps.settings.isConfirmationRequired && !isConfirmed) throw needsVerification(profile);
    await setProviders(tx, account.id);
    return { result: await around.andThen(tx, account.id), endedSessions };
  });
}

/**
 * @throws AuthError 422 identity_already_exists, user_sso_managed; 403 user_banned, user_not_found, session_not_found;
 * 401 insufficient_aal, 400 reauthentication_needed
 */
export async function linkIdentity<T>(
  deps: AccountDeps,
  signedIn: SignedIn,
  profile: ProviderProfile,
  nowIso: string,
  around: AroundAccount<T>,
): Promise<T> {
  const { userId } = signedIn;
  return inTurn(deps, async (tx) => {
    await around.before?.(tx);
    requireNotBanned(await lockOwnIdentities(tx, signedIn, nowIso));
    const known = await findIdentity(tx, profile);
    if (known !== null) {
      const owner = known.userId === userId ? '' : ' to another user';
      throw new AuthError(422, 'identity_already_exists', `Identity is already linked${owner}`);
    }
    await insertIdentity(tx, { ...profile, userId, data: profile.identityData }, nowIso);
    await setProviders(tx, userId);
    await notifyOwner(tx, userId, 'sign_in_linked', nowIso);
    return { result: await around.andThen(tx, userId), endedSessions: [] };
  });
}

/**
 * Checks before linking or unlinking, which can open the account to others as a change of address does, so it has the
 * same requirements. Accounts of organisations are opened only by the organisation.
 * @throws AuthError 422 user_sso_managed; 403 user_not_found, session_not_found; 401 insufficient_aal, 400
 * reauthentication_needed
 */
export async function lockOwnIdentities(tx: Transaction, signedIn: SignedIn, nowIso: string): Promise<LockedAccount> {
  const account = await lockAccount(tx, signedIn.userId, nowIso);
  if (account === null) throw new AuthError(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  if (account.isSso) throw new AuthError(422, 'user_sso_managed', 'The identities of an SSO account cannot be changed');
  await requireStrongSession(tx, signedIn, nowIso);
  return account;
}

function requireNotBanned(account: Account): void {
  if (account.isBanned) throw new AuthError(403, 'user_banned', 'User is banned');
}

async function inTurn<T>(
  deps: AccountDeps,
  work: (tx: Transaction) => Promise<{ result: T; endedSessions: readonly string[] }>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      const { result, endedSessions } = await deps.database.transaction(OWNER, work);
      deps.verifier.endSessions(endedSessions);
      return result;
    } catch (error) {
      const isRace = error instanceof AccountMoved || (error instanceof SqlError && error.code === '23505');
      if (!isRace || tries === MAX_TRIES) throw error;
    }
  }
}

async function resolve(tx: Transaction, profile: ProviderProfile, nowIso: string): Promise<Account> {
  const known = await findIdentity(tx, profile);
  if (known !== null) {
    const account = await lockAccount(tx, known.userId, nowIso);
    const data = profile.identityData;
    if (account === null || !(await refreshIdentity(tx, { ...known, data }, nowIso))) throw new AccountMoved();
    await setMetadata(tx, account.id, mergeMetadata(account.metadata, data), nowIso);
    return account;
  }
  if (profile.email === null)
    throw new AuthError(500, 'unexpected_failure', 'Error getting user email from external provider');
  const holder = await lockAccountByEmail(tx, profile.email, nowIso);
  if (holder === null) return newAccount(tx, profile, profile.email, nowIso);
  if (!profile.isEmailVerified) throw needsVerification(profile);
  const userId = holder.id;
  await insertIdentity(tx, { ...profile, userId, data: profile.identityData }, nowIso);
  await setMetadata(tx, userId, mergeMetadata(holder.metadata, profile.identityData), nowIso);
  await notifyOwner(tx, userId, 'sign_in_linked', nowIso);
  return holder;
}

async function newAccount(tx: Transaction, profile: ProviderProfile, email: string, nowIso: string): Promise<Account> {
  const userId = randomUUID();
  const isConfirmed = profile.isEmailVerified;
  const metadata = profile.identityData;
  await insertProvidedUser(tx, { id: userId, email, isConfirmed, metadata }, nowIso);
  await insertIdentity(tx, { ...profile, userId, data: metadata }, nowIso);
  await awaitPicture(tx, userId, metadata);
  return { id: userId, email, isConfirmed, isBanned: false };
}

/**
 * Handles the first proof of the account's own address, by the provider. The creator of the account may be someone
 * other than its owner, who is signing in now, so all of the creator's access is removed.
 */
async function confirm(
  tx: Transaction,
  account: Account,
  profile: ProviderProfile,
  nowIso: string,
): Promise<{ isConfirmed: boolean; endedSessions: readonly string[] }> {
  if (account.isConfirmed) return { isConfirmed: true, endedSessions: [] };
  const { email, isEmailVerified } = profile;
  if (email === null || !isEmailVerified || email !== account.email?.toLowerCase())
    return { isConfirmed: false, endedSessions: [] };
  const userId = account.id;
  const endedSessions = await endAccess(tx, 'first-proof', { userId, email }, nowIso);
  await handToProvenOwner(tx, { userId, metadata: profile.identityData }, nowIso);
  await awaitPicture(tx, userId, profile.identityData);
  return { isConfirmed: true, endedSessions };
}

/** The same message whether or not the address has an account. */
function needsVerification({ provider }: ProviderProfile): AuthError {
  return new AuthError(
    422,
    'provider_email_needs_verification',
    `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
  );
}
