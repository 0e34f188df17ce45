import { asOwner, type Database, type Queries } from '../platform/database/database.ts';
import {
  type ClaimedRow,
  dueRows,
  emptied,
  isoOf,
  type QueueRows,
  type QueueTable,
  queueRows,
} from '../platform/queues/queue-rows-store.ts';

export interface OutgoingPush {
  userId: string;
  /** The notification's subject, at most 120 characters; each key is sent to a device only once. */
  key: string;
  /** Cut after 100 characters. No secrets, because a locked screen shows it. */
  title: string;
  /** Cut after 400 characters. */
  text: string;
  /** The page that a click opens: a path on our site, with its leading slash. */
  path: string;
  /** Lifetime, 24 hours at most: neither we nor the push service deliver it later. */
  ttlS: number;
  nowIso: string;
  /** Sends only to this device of the user, regardless of preferences (a test). Absent: to all devices. */
  deviceId?: string;
}

/** Notified on every new notification, so that it is sent immediately. */
export const PUSH_CHANNEL = 'kat_push';
const LONGEST_TITLE = 100;
const LONGEST_TEXT = 400;
const OWN_PATH = /^\/(?:[^/\\]|$)/;
const LONGEST_TTL_S = 24 * 60 * 60;

/**
 * In the caller's transaction; sent after the commit. Nothing is queued without a device, with push off in the
 * preferences, or for a key already sent.
 * @returns the number of devices. @throws RangeError for a path outside our site, which is a bug of the caller
 */
export async function queuePush(queries: Queries, push: OutgoingPush): Promise<number> {
  if (!OWN_PATH.test(push.path)) throw new RangeError('a notification may only link to our own pages');
  const ttlS = Math.min(push.ttlS, LONGEST_TTL_S);
  const rows = await queries.query(
    `with queued as (
       insert into private.outgoing_pushes (subscription_id, key, title, text_body, path, next_try_at, expires_at, created_at)
       select s.id, $2::text, $3::text, $4::text, $5::text, $7::text::timestamptz,
         $7::text::timestamptz + make_interval(secs => $6::int), $7::text::timestamptz
         from public.push_subscriptions s join public.profiles p on p.id = s.user_id
        where s.user_id = $1::text::uuid
          and case when $9::text is null then p.push_notifications else s.id = $9::text::uuid end
       on conflict (subscription_id, key) do nothing
       returning id)
     select pg_notify($8::text, '') from queued`,
    [
      push.userId,
      push.key,
      cut(push.title, LONGEST_TITLE),
      cut(push.text, LONGEST_TEXT),
      push.path,
      ttlS,
      push.nowIso,
      PUSH_CHANNEL,
      push.deviceId ?? null,
    ],
  );
  return rows.length;
}

function cut(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

export interface PushSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface ClaimedPush extends ClaimedRow {
  subscription: PushSubscription & { id: string };
  title: string;
  text: string;
  path: string;
  expiresMs: number;
}

type QueuedPush = Omit<ClaimedPush, 'subscription'> & PushSubscription & { deviceId: string };

export interface PushQueue extends QueueRows<ClaimedPush> {
  /** Longest overdue first. No other process gets them until `leaseEndsMs`, even if this process dies. */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedPush[]>;
  /** Marks it as sent, erases its content and records when the device was last used. */
  markSent(push: ClaimedPush, nowMs: number): Promise<void>;
  /** Deletes a device that no longer exists, together with its queued notifications. */
  removeDevice(subscriptionId: string): Promise<void>;
}

const TABLE: QueueTable = { table: 'private.outgoing_pushes', contents: ['title', 'text_body', 'path'] };

export function pushQueue(database: Database): PushQueue {
  const queries = asOwner(database);
  return {
    ...queueRows(queries, TABLE),
    async claim(count, nowMs, leaseEndsMs) {
      const rows = await queries.query<QueuedPush & Record<string, unknown>>(
        `${dueRows(TABLE)}
         update private.outgoing_pushes p set attempts = p.attempts + 1, next_try_at = $3::text::timestamptz
           from due, public.push_subscriptions s where p.id = due.id and s.id = p.subscription_id
         returning p.id, s.id as "deviceId", s.endpoint, s.p256dh, s.auth, coalesce(p.title, '') as title,
           coalesce(p.text_body, '') as text, coalesce(p.path, '/') as path,
           extract(epoch from p.expires_at)::double precision * 1000 as "expiresMs", p.attempts`,
        [isoOf(nowMs), count, isoOf(leaseEndsMs)],
      );
      return rows.map(({ deviceId, endpoint, p256dh, auth, ...push }) => ({
        ...push,
        subscription: { id: deviceId, endpoint, p256dh, auth },
      }));
    },
    async markSent(push, nowMs) {
      await queries.query(
        `with sent as (
           update private.outgoing_pushes set state = 'sent', sent_at = $2::text::timestamptz, ${emptied(TABLE)}, last_error = null
            where id = $1::text::uuid and state = 'waiting' returning subscription_id)
         update public.push_subscriptions s set last_used_at = $2::text::timestamptz from sent where s.id = sent.subscription_id`,
        [push.id, isoOf(nowMs)],
      );
    },
    async removeDevice(subscriptionId) {
      await queries.query('delete from public.push_subscriptions where id = $1::text::uuid', [subscriptionId]);
    },
  };
}
