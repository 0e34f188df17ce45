/** What a proven address changes in the database. The account's row is locked by the caller. */
import * as z from 'zod/mini';
import type { Queries } from '../../../platform/database/database.ts';

/** The address is the account's own: on the account and on its `email` identity, in this order. */
export async function confirmEmail(queries: Queries, userId: string, nowIso: string): Promise<void> {
  await queries.query(
    `with confirmed as (
       update auth.users set email_confirmed_at = coalesce(email_confirmed_at, $2::text::timestamptz),
         updated_at = $2::text::timestamptz
       where id = $1::text::uuid returning id)
     update auth.identities set identity_data = identity_data || '{"email_verified": true}'::jsonb,
       updated_at = $2::text::timestamptz
     where user_id in (select id from confirmed) and provider = 'email'`,
    [userId, nowIso],
  );
}

const idRow = z.object({ id: z.string() });

/**
 * Takes away everything by which somebody else could still get into the account: the password, sessions, second factors,
 * codes and links on their way, a change of address that was asked for, and identities that were not verified under
 * this address. Name and picture stay: they open nothing, and are mostly the owner's own.
 *
 * @param keptFlowId  the flow by which the owner is coming in at this moment
 * @returns the ids of the sessions that ended
 */
export async function dropUnprovenAccess(
  queries: Queries,
  account: { userId: string; email: string; keptFlowId: string | null },
  nowIso: string,
): Promise<string[]> {
  const { userId, email, keptFlowId } = account;
  const ended = await queries.query(
    `delete from auth.sessions where id in (
       select id from auth.sessions where user_id = $1::text::uuid order by id for update)
     returning id::text as id`,
    [userId],
  );
  await queries.query('delete from auth.mfa_factors where user_id = $1::text::uuid', [userId]);
  await queries.query('delete from auth.one_time_tokens where user_id = $1::text::uuid', [userId]);
  await queries.query(
    `delete from auth.flow_state where (user_id = $1::text::uuid or linking_user_id = $1::text::uuid)
       and ($2::text is null or id <> $2::text::uuid)`,
    [userId, keptFlowId],
  );
  await queries.query(
    `delete from auth.identities where user_id = $1::text::uuid and provider <> 'email'
       and not (coalesce(email = lower($2::text), false) and coalesce(identity_data ->> 'email_verified' = 'true', false))`,
    [userId, email],
  );
  await queries.query(
    `update auth.users u set encrypted_password = null, email_change = null, email_change_proofs = 0,
       raw_app_meta_data = u.raw_app_meta_data || jsonb_build_object('provider', 'email', 'providers', (
         select coalesce(jsonb_agg(i.provider order by i.created_at, i.id), '["email"]'::jsonb)
         from auth.identities i where i.user_id = u.id)),
       updated_at = $2::text::timestamptz
     where u.id = $1::text::uuid`,
    [userId, nowIso],
  );
  return ended.map((row) => idRow.parse(row).id);
}
