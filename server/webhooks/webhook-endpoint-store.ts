/** Users' endpoints in the database. Every statement names the user, so another user's endpoint is never found. */
import * as z from 'zod/mini';
import { MOST_WEBHOOKS, SECRET_OVERLAP_MS } from '#domain/webhooks/webhook-endpoint.ts';
import { testBody } from '#domain/webhooks/webhook-event.ts';
import { TEST_EVENT } from '#domain/webhooks/webhook-event-names.ts';
import type { Queries, Transaction } from '../platform/database/database.ts';
import { isoOf } from '../platform/queues/queue-rows-store.ts';
import { WEBHOOK_CHANNEL } from './webhook-queue-store.ts';

export interface NewEndpoint {
  url: string;
  events: readonly string[];
  secret: string;
}

const idRow = z.object({ id: z.string() });
const OWN = 'where e.id = $1::text::uuid and e.user_id = $2::text::uuid';
/** Due now, unless it is being sent. */
const HURRY = 'next_try_at = case when e.lease is null then $3::text::timestamptz else e.next_try_at end';

/** The caller holds the account's lock. @returns null when the user already has MOST_WEBHOOKS */
export async function addEndpoint(
  tx: Transaction,
  userId: string,
  { url, events, secret }: NewEndpoint,
  nowMs: number,
): Promise<string | null> {
  const rows = await tx.query(
    `insert into public.webhook_endpoints (user_id, url, events, secret, created_at)
     select $1::text::uuid, $2::text, $3::text[], $4::text, $5::text::timestamptz
      where (select count(*) from public.webhook_endpoints e where e.user_id = $1::text::uuid) < $6::int
     returning id::text as id`,
    [userId, url, [...events], secret, isoOf(nowMs), MOST_WEBHOOKS],
  );
  return rows.length === 0 ? null : idRow.parse(rows[0]).id;
}

/** A new address starts without the former one's failures. @returns false for another user's endpoint and a deleted one */
export async function changeEndpoint(
  queries: Queries,
  userId: string,
  { id, url, events }: { id: string; url: string; events: readonly string[] },
  nowMs: number,
): Promise<boolean> {
  const rows = await queries.query(
    `with changed as (
       update public.webhook_endpoints e
          set url = $4::text, events = $5::text[],
              failures = case when e.url = $4::text then e.failures else 0 end,
              failing_since = case when e.url = $4::text then e.failing_since end,
              is_slow = e.is_slow and e.url = $4::text,
              next_try_at = case when e.lease is null and e.url <> $4::text and e.next_try_at is not null
                                 then $3::text::timestamptz else e.next_try_at end
        ${OWN} returning 1)
     select pg_notify($6::text, '') from changed`,
    [id, userId, isoOf(nowMs), url, [...events], WEBHOOK_CHANNEL],
  );
  return rows.length === 1;
}

export async function removeEndpoint(queries: Queries, userId: string, id: string): Promise<boolean> {
  const rows = await queries.query(`delete from public.webhook_endpoints e ${OWN} returning 1`, [id, userId]);
  return rows.length === 1;
}

/** The former secret stays valid for a day. A second rotation within it ends the one before. */
export async function rotateSecret(
  queries: Queries,
  userId: string,
  { id, secret }: { id: string; secret: string },
  nowMs: number,
): Promise<boolean> {
  const rows = await queries.query(
    `update public.webhook_endpoints e set former_secret = e.secret, secret = $3::text, former_until = $4::text::timestamptz
      ${OWN} returning 1`,
    [id, userId, secret, isoOf(nowMs + SECRET_OVERLAP_MS)],
  );
  return rows.length === 1;
}

/** Resuming forgets the failures and sends what waits; pausing a paused endpoint, and the reverse, changes nothing. */
export async function setEndpointState(
  queries: Queries,
  userId: string,
  { id, state }: { id: string; state: 'active' | 'paused' },
  nowMs: number,
): Promise<boolean> {
  const text =
    state === 'paused'
      ? `update public.webhook_endpoints e
            set state = 'paused', pause_reason = coalesce(e.pause_reason, 'owner'), paused_at = coalesce(e.paused_at, $3::text::timestamptz)
          ${OWN} returning 1`
      : `update public.webhook_endpoints e
            set state = 'active', pause_reason = null, paused_at = null,
                failures = case when e.state = 'paused' then 0 else e.failures end,
                failing_since = case when e.state = 'paused' then null else e.failing_since end, ${HURRY}
          ${OWN} returning 1`;
  const rows = await queries.query(`with changed as (${text}) select pg_notify($4::text, '') from changed`, [
    ...[id, userId, isoOf(nowMs), WEBHOOK_CHANNEL],
  ]);
  return rows.length === 1;
}

export type QueuedAgain = 'queued' | 'paused' | 'unknown';
const stateRow = z.object({ state: z.enum(['active', 'paused']) });

/** Queues a test behind what waits, and hurries the queue: the user is looking at it. */
export async function queueTest(
  tx: Transaction,
  userId: string,
  { id, eventId }: { id: string; eventId: string },
  nowMs: number,
): Promise<QueuedAgain> {
  const state = await hurried(tx, userId, id, nowMs);
  if (state !== 'queued') return state;
  await tx.query(
    `insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
     values ($1::text::uuid, $2::text::uuid, $3::text::uuid, $4::text, $5::text, $6::text::timestamptz)`,
    [id, userId, eventId, TEST_EVENT, testBody({ id: eventId, createdMs: nowMs }), isoOf(nowMs)],
  );
  return 'queued';
}

/** Sends a delivery again, with the same event id, or a waiting one now. */
export async function queueAgain(tx: Transaction, userId: string, id: number, nowMs: number): Promise<QueuedAgain> {
  const [row] = await tx.query<{ endpoint: string }>(
    'select d.endpoint_id::text as endpoint from public.webhook_deliveries d where d.id = $1::bigint and d.user_id = $2::text::uuid',
    [id, userId],
  );
  if (row === undefined) return 'unknown';
  const state = await hurried(tx, userId, row.endpoint, nowMs);
  if (state === 'queued')
    await tx.query("update public.webhook_deliveries set state = 'waiting' where id = $1::bigint", [id]);
  return state;
}

async function hurried(tx: Transaction, userId: string, id: string, nowMs: number): Promise<QueuedAgain> {
  const rows = await tx.query(
    `with changed as (
       update public.webhook_endpoints e set ${HURRY} ${OWN} and e.state = 'active' returning e.id)
     select e.state, (select pg_notify($4::text, '') from changed) as notified from public.webhook_endpoints e ${OWN}`,
    [id, userId, isoOf(nowMs), WEBHOOK_CHANNEL],
  );
  if (rows.length === 0) return 'unknown';
  return stateRow.parse(rows[0]).state === 'active' ? 'queued' : 'paused';
}

/** Takes a waiting delivery out of the queue, so that those behind it are sent. @returns false if it does not wait */
export async function skipDelivery(tx: Transaction, userId: string, id: number, nowMs: number): Promise<boolean> {
  const [row] = await tx.query<{ endpoint: string }>(
    `update public.webhook_deliveries d set state = 'skipped'
      where d.id = $1::bigint and d.user_id = $2::text::uuid and d.state = 'waiting' returning d.endpoint_id::text as endpoint`,
    [id, userId],
  );
  if (row === undefined) return false;
  await hurried(tx, userId, row.endpoint, nowMs);
  return true;
}
