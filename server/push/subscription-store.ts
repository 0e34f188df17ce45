/** Users' devices in the database. Only the server writes them. */
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import type { RenewPushSubscription, SavePushSubscription } from '#domain/push/push-subscription.ts';
import type { Queries, Transaction } from '../platform/database/database.ts';

const idRow = z.object({ id: z.string() });

/**
 * Saves a device. A browser that belonged to another user is taken from them, with its queued notifications; the user's
 * own browser keeps its row. Turning on a device also turns on notifications in the user's preferences.
 * @param most devices of one user @returns the device's id; null if the user already has that many
 */
export async function saveSubscription(
  tx: Transaction,
  device: SavePushSubscription & { userId: string },
  { most, nowIso }: { most: number; nowIso: string },
): Promise<string | null> {
  const { userId, endpoint, keys } = device;
  const endpointHash = hash('sha256', endpoint);
  // Serializes calls of one user, because two at the same time could exceed the limit together.
  await tx.query('update public.profiles set push_notifications = true where id = $1::text::uuid', [userId]);
  await tx.query('delete from public.push_subscriptions where endpoint_hash = $1::text and user_id <> $2::text::uuid', [
    endpointHash,
    userId,
  ]);
  const rows = await tx.query(
    `insert into public.push_subscriptions (user_id, endpoint, endpoint_hash, p256dh, auth, device, created_at)
     select $1::text::uuid, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text::timestamptz
      where (select count(*) from public.push_subscriptions s
              where s.user_id = $1::text::uuid and s.endpoint_hash <> $3::text) < $8::int
     on conflict (endpoint_hash) do update set p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device
       where push_subscriptions.user_id = excluded.user_id
     returning id::text as id`,
    [userId, endpoint, endpointHash, keys.p256dh, keys.auth, device.device, nowIso, most],
  );
  return rows.length === 0 ? null : idRow.parse(rows[0]).id;
}

/**
 * Keeps the row and owner. If the new address already has a row (its page was faster), the former row is deleted.
 * @returns false when no device has that address with that secret
 */
export async function renewSubscription(
  queries: Queries,
  former: RenewPushSubscription['former'],
  { endpoint, keys }: RenewPushSubscription['next'],
): Promise<boolean> {
  const [row] = await queries.query<{ known: number }>(
    `with known as (
       select id from public.push_subscriptions where endpoint_hash = $1::text and auth = $2::text for update),
     taken as (
       select 1 from public.push_subscriptions where endpoint_hash = $4::text and endpoint_hash <> $1::text),
     gone as (
       delete from public.push_subscriptions s using known k where s.id = k.id and exists (select from taken)),
     renewed as (
       update public.push_subscriptions s
          set endpoint = $3::text, endpoint_hash = $4::text, p256dh = $5::text, auth = $6::text
         from known k where s.id = k.id and not exists (select from taken))
     select count(*)::int as known from known`,
    [hash('sha256', former.endpoint), former.auth, endpoint, hash('sha256', endpoint), keys.p256dh, keys.auth],
  );
  return row?.known === 1;
}

/** @returns false for another user's device, and for one that is already deleted */
export async function removeSubscription(queries: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await queries.query(
    'delete from public.push_subscriptions where id = $1::text::uuid and user_id = $2::text::uuid returning 1',
    [id, userId],
  );
  return rows.length === 1;
}
