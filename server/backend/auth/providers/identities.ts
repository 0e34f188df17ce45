/** The identities an account signs in with: linking one more, and unlinking. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { OWNER, type Queries, type Transaction } from '../../../platform/database/database.ts';
import { type AuthDeps, nowIso, requireSession } from '../auth-deps.ts';
import { AuthError } from '../auth-error.ts';
import type { LockedAccount } from '../user-store.ts';
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
  requireAddressKept(account, leaving, left);
  await removeIdentity(tx, identityId);
  await setProviders(tx, account.id);
}

/**
 * Unlinking never changes the account's address: that requires the mails of a change. So the identity with that address
 * can only be removed if another, verified one has it too. Reads nothing outside the account, so the answer reveals
 * nothing about other accounts.
 */
function requireAddressKept(account: LockedAccount, leaving: StoredIdentity, left: readonly StoredIdentity[]): void {
  const email = account.email?.toLowerCase() ?? null;
  if (email === null || leaving.email !== email) return;
  if (left.some((identity) => identity.email === email && identity.isEmailVerified)) return;
  throw new AuthError(422, 'email_conflict_identity_not_deletable', 'Unable to unlink identity due to email conflict');
}

export interface IdentityKey {
  provider: string;
  subject: string;
}

/** Finds the owner of an identity; takes no lock. */
export async function findIdentity(
  queries: Queries,
  { provider, subject }: IdentityKey,
): Promise<{ identityId: string; userId: string } | null> {
  const rows = await queries.query<{ identityId: string; userId: string }>(
    `select id::text as "identityId", user_id::text as "userId" from auth.identities
     where provider = $1::text and provider_id = $2::text`,
    [provider, subject],
  );
  return rows[0] ?? null;
}

/** @throws SqlError 23505 when an account already has it */
export async function insertIdentity(
  queries: Queries,
  identity: IdentityKey & { userId: string; data: Readonly<Record<string, unknown>> },
  nowIso: string,
): Promise<void> {
  await queries.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::text, $2::text::uuid, $3::text::jsonb, $4::text, $5::text::timestamptz, $5::text::timestamptz,
       $5::text::timestamptz)`,
    [identity.subject, identity.userId, JSON.stringify(identity.data), identity.provider, nowIso],
  );
}

/** Records a sign-in, with the provider's current data. @returns false when the account no longer has this identity */
export async function refreshIdentity(
  queries: Queries,
  identity: { identityId: string; userId: string; data: Readonly<Record<string, unknown>> },
  nowIso: string,
): Promise<boolean> {
  const rows = await queries.query(
    `update auth.identities set identity_data = $3::text::jsonb, last_sign_in_at = $4::text::timestamptz,
       updated_at = $4::text::timestamptz
     where id = $1::text::uuid and user_id = $2::text::uuid returning 1`,
    [identity.identityId, identity.userId, JSON.stringify(identity.data), nowIso],
  );
  return rows.length === 1;
}

/** Creates an account without a password. @throws SqlError 23505 when the address is taken */
export async function insertProvidedUser(
  queries: Queries,
  user: { id: string; email: string | null; isConfirmed: boolean; metadata: Readonly<Record<string, unknown>> },
  nowIso: string,
): Promise<void> {
  await queries.query(
    `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data, created_at, updated_at)
     values ($1::text::uuid, $2::text, case when $3::boolean then $5::text::timestamptz end, $4::text::jsonb,
       $5::text::timestamptz, $5::text::timestamptz)`,
    [user.id, user.email, user.isConfirmed, JSON.stringify(user.metadata), nowIso],
  );
}

export async function setMetadata(
  queries: Queries,
  userId: string,
  metadata: Readonly<Record<string, unknown>>,
  nowIso: string,
): Promise<void> {
  await queries.query(
    `update auth.users set raw_user_meta_data = $2::text::jsonb, updated_at = $3::text::timestamptz
     where id = $1::text::uuid`,
    [userId, JSON.stringify(metadata), nowIso],
  );
}

/** Sets `provider` and `providers` of the app metadata from the identities, oldest first. */
export async function setProviders(queries: Queries, userId: string): Promise<void> {
  await queries.query(
    `update auth.users u set raw_app_meta_data = u.raw_app_meta_data || jsonb_build_object(
       'provider', p.names -> 0, 'providers', p.names)
     from (select coalesce(jsonb_agg(provider order by since), '[]') as names
       from (select provider, min(created_at) as since from auth.identities
         where user_id = $1::text::uuid group by provider) as each_provider) as p
     where u.id = $1::text::uuid`,
    [userId],
  );
}

/**
 * The provider's data replaces the creator's, in the profile too. The `email` identity is deleted, because its password
 * is void now.
 */
export async function handToProvenOwner(
  queries: Queries,
  owner: { userId: string; metadata: Readonly<Record<string, unknown>> },
  nowIso: string,
): Promise<void> {
  const { userId, metadata } = owner;
  await queries.query(
    `with confirmed as (
       update auth.users set email_confirmed_at = $3::text::timestamptz, raw_user_meta_data = $2::text::jsonb,
         updated_at = $3::text::timestamptz
       where id = $1::text::uuid returning id)
     delete from auth.identities where user_id in (select id from confirmed) and provider = 'email'`,
    [userId, JSON.stringify(metadata), nowIso],
  );
  // Set like a new account's profile; the picture is fetched later.
  await queries.query(
    `update public.profiles p set full_name = left(coalesce(u.raw_user_meta_data ->> 'full_name',
         u.raw_user_meta_data ->> 'name'), 200), avatar_url = null
     from auth.users u where u.id = $1::text::uuid and p.id = u.id`,
    [userId],
  );
}

interface StoredIdentity {
  identityId: string;
  provider: string;
  email: string | null;
  isEmailVerified: boolean;
}

const identityRow = z.object({
  identityId: z.string(),
  provider: z.string(),
  email: z.nullable(z.string()),
  isEmailVerified: z.boolean(),
});

/** Oldest first. */
async function listIdentities(queries: Queries, userId: string): Promise<StoredIdentity[]> {
  const rows = await queries.query(
    `select id::text as "identityId", provider, email,
       coalesce(identity_data -> 'email_verified' = 'true'::jsonb, false) as "isEmailVerified"
     from auth.identities where user_id = $1::text::uuid order by created_at, id`,
    [userId],
  );
  return rows.map((row) => identityRow.parse(row));
}

async function removeIdentity(queries: Queries, identityId: string): Promise<void> {
  await queries.query('delete from auth.identities where id = $1::text::uuid', [identityId]);
}
