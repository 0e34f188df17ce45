/** The queue of notifications in the database: one row for each device of a user. */
import { asOwner, type Database, type Queries } from '../database/database.ts';
import {
  type ClaimedRow,
  dueRows,
  emptied,
  isoOf,
  type QueueRows,
  type QueueTable,
  queueRows,
} from '../queues/queue-rows-store.ts';

export interface OutgoingPush {
  userId: string;
  /** What it is about, 120 characters at most: the same is told to one device once. */
  key: string;
  /** Cut after 100 characters. No secrets: it is shown on a locked screen. */
  title: string;
  /** Cut after 400 characters. */
  text: string;
  /** Of our own site, from the slash on: where a click leads. */
  path: string;
  /** Worth nothing after this, 24 hours at most: neither we nor the push service deliver it later. */
  ttlS: number;
  nowIso: string;
  /** That one of the user's alone, whatever the preferences say: a test. Absent: all of them. */
  deviceId?: string;
}

/** Told on every new notification, so that it leaves at once. */
export const PUSH_CHANNEL = 'kat_push';
const LONGEST_TITLE = 100;
const LONGEST_TEXT = 400;
const OWN_PATH = /^\/(?:[^/\\]|$)/;
const LONGEST_TTL_S = 24 * 60 * 60;

/**
 * Queues a notification for each of a user's devices within the caller's transaction: it leaves when that is committed.
 * Does nothing where the user has no device, has switched push off in the preferences, or was told of this key already.
 *
 * @returns for how many devices
 * @throws RangeError for a path that is not our own: a bug of the caller's
 */
export async function queuePush(queries: Queries, push: OutgoingPush): Promise<number> {
  if (!OWN_PATH.test(push.path)) throw new RangeError('a notification leads to our own pages alone');
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

/** Whole characters, with an ellipsis in the place of the last. */
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

export interface PushQueue extends QueueRows<ClaimedPush> {
  /**
   * Takes notifications that are due, the longest due first. Until `leaseEndsMs` nobody else gets them; should this
   * process die, somebody does after that.
   */
  claim(count: number, nowMs: number, leaseEndsMs: number): Promise<ClaimedPush[]>;
  /** Empties it, and writes at its device when it was used. */
  markSent(push: ClaimedPush, nowMs: number): Promise<void>;
  /** The device is gone: so is all that waits for it. */
  removeDevice(subscriptionId: string): Promise<void>;
}

const TABLE: QueueTable = { table: 'private.outgoing_pushes', contents: ['title', 'text_body', 'path'] };

export function pushQueue(database: Database): PushQueue {
  const queries = asOwner(database);
  return {
    ...queueRows(queries, TABLE),
    async claim(count, nowMs, leaseEndsMs) {
      const rows = await queries.query<{
        id: string;
        subscription_id: string;
        endpoint: string;
        p256dh: string;
        auth: string;
        title: string | null;
        text_body: string | null;
        path: string | null;
        expires: number;
        attempts: number;
      }>(
        `${dueRows(TABLE)}
         update private.outgoing_pushes p set attempts = p.attempts + 1, next_try_at = $3::text::timestamptz
           from due, public.push_subscriptions s where p.id = due.id and s.id = p.subscription_id
         returning p.id, s.id as subscription_id, s.endpoint, s.p256dh, s.auth, p.title, p.text_body, p.path,
           extract(epoch from p.expires_at)::double precision * 1000 as expires, p.attempts`,
        [isoOf(nowMs), count, isoOf(leaseEndsMs)],
      );
      return rows.map((row) => ({
        id: row.id,
        subscription: { id: row.subscription_id, endpoint: row.endpoint, p256dh: row.p256dh, auth: row.auth },
        title: row.title ?? '',
        text: row.text_body ?? '',
        path: row.path ?? '/',
        expiresMs: row.expires,
        attempts: row.attempts,
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
