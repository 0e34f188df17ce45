/** Identities of accounts in the database: find, link, unlink. A caller that decides something locks the account. */
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';

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

/** The provider's data replaces the creator's. The `email` identity is deleted, because its password is void now. */
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

export interface StoredIdentity {
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

export async function listIdentities(queries: Queries, userId: string): Promise<StoredIdentity[]> {
  const rows = await queries.query(
    `select id::text as "identityId", provider, email,
       coalesce(identity_data -> 'email_verified' = 'true'::jsonb, false) as "isEmailVerified"
     from auth.identities where user_id = $1::text::uuid order by created_at, id`,
    [userId],
  );
  return rows.map((row) => identityRow.parse(row));
}

export async function removeIdentity(queries: Queries, identityId: string): Promise<void> {
  await queries.query('delete from auth.identities where id = $1::text::uuid', [identityId]);
}
