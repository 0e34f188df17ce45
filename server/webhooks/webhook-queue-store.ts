/**
 * The queue of deliveries in the database. One delivery of an endpoint is under way at a time, in the order of the
 * events; any number of processes share the endpoints by leases.
 */
import * as z from 'zod/mini';
import { DELIVERY_RETENTION_MS, MOST_WAITING } from '#domain/webhooks/webhook-endpoint.ts';
import { webhookBody, webhookFactsSchema } from '#domain/webhooks/webhook-event.ts';
import type { Core } from '../core.ts';
import { asOwner, type Database, OWNER, type Transaction } from '../platform/database/database.ts';
import { isoOf } from '../platform/queues/queue-rows-store.ts';

/** Notified for each event and each put-back delivery. */
export const WEBHOOK_CHANNEL = 'kat_webhooks';

const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;
const JOB = `j.endpoint_id::text as "endpointId", j.lease::text as lease, j.url, j.secret, j.former_secret as "formerSecret",
  ${ms('j.former_until')} as "formerUntilMs", j.failures, ${ms('j.failing_since')} as "failingSinceMs",
  j.delivery_id as "deliveryId", j.event_id::text as "eventId", j.event, j.body, j.attempts`;
const jobSchema = z.object({
  endpointId: z.string(),
  lease: z.string(),
  url: z.string(),
  secret: z.string(),
  formerSecret: z.nullable(z.string()),
  formerUntilMs: z.nullable(z.number()),
  /** Failed tries in a row. */
  failures: z.number(),
  failingSinceMs: z.nullable(z.number()),
  deliveryId: z.coerce.number(),
  eventId: z.string(),
  event: z.string(),
  body: z.string(),
  /** Of this delivery so far. */
  attempts: z.number(),
});
export type WebhookJob = z.infer<typeof jobSchema>;

export interface WebhookTry {
  isDelivered: boolean;
  status: number | null;
  problem: string | null;
  answerStart: string | null;
  tookMs: number;
  isSlow: boolean;
}

export interface WebhookQueue {
  /**
   * Takes endpoints with a due delivery, the longest overdue first. No other process gets them until `leaseEndsMs`.
   * @param isSuspect those that failed or were slow at the last try; else all others
   */
  claim(count: number, nowMs: number, leaseEndsMs: number, isSuspect: boolean): Promise<WebhookJob[]>;
  nextDueMs(isSuspect: boolean): Promise<number | null>;
  /** @param leaseEndsMs null: the process does not go on with this endpoint. @returns the endpoint's next delivery */
  noteDelivered(
    job: WebhookJob,
    one: WebhookTry,
    nowMs: number,
    leaseEndsMs: number | null,
  ): Promise<WebhookJob | null>;
  noteFailed(job: WebhookJob, one: WebhookTry, nowMs: number, nextTryMs: number): Promise<void>;
  /** As noteFailed, and pauses the endpoint. `notify` runs in the same transaction, and not if another process holds it. */
  pause(
    job: WebhookJob,
    one: WebhookTry,
    nowMs: number,
    reason: 'failing' | 'closed',
    notify: (tx: Transaction, paused: PausedEndpoint) => Promise<void>,
  ): Promise<void>;
  /** Gives a delivery that was broken off back without counting a try. */
  release(job: WebhookJob, nowMs: number): Promise<void>;
  /** Removes deliveries created before a time. Those that still waited are counted as dropped. */
  removeOld(beforeMs: number): Promise<number>;
}

export interface PausedEndpoint {
  userId: string;
  /** Confirmed address of the owner; else null. */
  address: string | null;
  waiting: number;
}

const pausedSchema = z.object({ userId: z.string(), address: z.nullable(z.string()), waiting: z.number() });
const NOTE = `select ${JOB} from private.note_webhook_try($1::text::uuid, $2::text::uuid, $3::bigint, $4::text::timestamptz,
  $5::boolean, $6::int, $7::text, $8::text, $9::int, $10::boolean, $11::text::timestamptz, $12::text::timestamptz) j`;
const REMOVAL_BATCH = 1000;

export function webhookQueue(database: Database): WebhookQueue {
  const queries = asOwner(database);
  const noteParams = (
    job: WebhookJob,
    one: WebhookTry,
    { nowMs, nextTryMs, leaseEndsMs }: { nowMs: number; nextTryMs: number | null; leaseEndsMs: number | null },
  ) => [
    ...[job.endpointId, job.lease, job.deliveryId, isoOf(nowMs), one.isDelivered, one.status, one.problem],
    ...[one.answerStart, Math.round(one.tookMs), one.isSlow],
    ...[nextTryMs === null ? null : isoOf(nextTryMs), leaseEndsMs === null ? null : isoOf(leaseEndsMs)],
  ];
  return {
    async claim(count, nowMs, leaseEndsMs, isSuspect) {
      const rows = await queries.query(
        `select ${JOB} from private.claim_webhooks($1::text::timestamptz, $2::text::timestamptz, $3::int, $4::boolean) j`,
        [isoOf(nowMs), isoOf(leaseEndsMs), count, isSuspect],
      );
      return z.array(jobSchema).parse(rows);
    },
    async nextDueMs(isSuspect) {
      const [row] = await queries.query<{ due: number | null }>(
        `select ${ms('min(e.next_try_at)')} as due from public.webhook_endpoints e
          where e.state = 'active' and (e.failures > 0 or e.is_slow) = $1::boolean`,
        [isSuspect],
      );
      return row?.due ?? null;
    },
    async noteDelivered(job, one, nowMs, leaseEndsMs) {
      const rows = await queries.query(NOTE, noteParams(job, one, { nowMs, nextTryMs: null, leaseEndsMs }));
      return rows.length === 0 ? null : jobSchema.parse(rows[0]);
    },
    async noteFailed(job, one, nowMs, nextTryMs) {
      await queries.query(NOTE, noteParams(job, one, { nowMs, nextTryMs, leaseEndsMs: null }));
    },
    async pause(job, one, nowMs, reason, notify) {
      await database.transaction(OWNER, async (tx) => {
        const rows = await tx.query(
          `select e.user_id::text as "userId", case when u.email_confirmed_at is not null and u.email <> '' then u.email end as address,
             (select count(*)::int from public.webhook_deliveries d where d.endpoint_id = e.id and d.state = 'waiting') as waiting
             from public.webhook_endpoints e join auth.users u on u.id = e.user_id
            where e.id = $1::text::uuid and e.lease = $2::text::uuid and e.state = 'active' for update of e`,
          [job.endpointId, job.lease],
        );
        await tx.query(NOTE, noteParams(job, one, { nowMs, nextTryMs: nowMs, leaseEndsMs: null }));
        if (rows.length === 0) return;
        await tx.query(
          `update public.webhook_endpoints set state = 'paused', pause_reason = $2::text, paused_at = $3::text::timestamptz
            where id = $1::text::uuid`,
          [job.endpointId, reason, isoOf(nowMs)],
        );
        await notify(tx, pausedSchema.parse(rows[0]));
      });
    },
    async release(job, nowMs) {
      await queries.query(
        `update public.webhook_endpoints set next_try_at = $3::text::timestamptz, lease = null
          where id = $1::text::uuid and lease = $2::text::uuid`,
        [job.endpointId, job.lease, isoOf(nowMs)],
      );
    },
    async removeOld(beforeMs) {
      let removed = 0;
      for (let last = REMOVAL_BATCH; last === REMOVAL_BATCH; removed += last) {
        const rows = await queries.query(
          `with gone as (
             delete from public.webhook_deliveries where id in (
               select id from public.webhook_deliveries where created_at < $1::text::timestamptz
                order by created_at limit $2::int for update skip locked)
             returning endpoint_id, state),
           lost as (select endpoint_id, count(*)::int as count from gone where state = 'waiting' group by endpoint_id),
           counted as (
             update public.webhook_endpoints e set dropped = e.dropped + l.count from lost l where e.id = l.endpoint_id)
           select 1 as one from gone`,
          [isoOf(beforeMs), REMOVAL_BATCH],
        );
        last = rows.length;
      }
      return removed;
    },
  };
}

export interface FanOutDeps extends Pick<Core, 'database' | 'log'> {
  /** The site's origin, read when an event is written. */
  siteUrl(): string;
}

const FAN_OUT_LOCK = 'select pg_advisory_xact_lock(7203140)';
const EVENT_BATCH = 100;
const eventSchema = z.object({
  id: z.coerce.number(),
  eventId: z.string(),
  userId: z.nullable(z.string()),
  event: z.string(),
  facts: z.unknown(),
  createdMs: z.number(),
});

/** Moves events into the queues of the endpoints that chose them. One process at a time, so that their order is one. */
export async function fanOut(deps: FanOutDeps, nowMs: number): Promise<void> {
  const pending = await asOwner(deps.database).query('select 1 as one from private.webhook_events limit 1');
  if (pending.length === 0) return;
  for (let count = EVENT_BATCH; count === EVENT_BATCH; )
    count = await deps.database.transaction(OWNER, (tx) => fanOutSome(tx, deps, nowMs));
}

async function fanOutSome(tx: Transaction, { log, siteUrl }: FanOutDeps, nowMs: number): Promise<number> {
  await tx.query(FAN_OUT_LOCK);
  const events = z.array(eventSchema).parse(
    await tx.query(
      `select id, event_id::text as "eventId", user_id::text as "userId", event, facts, ${ms('created_at')} as "createdMs"
         from private.webhook_events order by id limit $1::int`,
      [EVENT_BATCH],
    ),
  );
  if (events.length === 0) return 0;
  const written = events.flatMap((event) => {
    const known = webhookFactsSchema.safeParse(event);
    // Another version of the server may have written it: one unreadable event must not hold up the others.
    if (!known.success) log.error({ event: event.eventId, kind: event.event }, 'a webhook event could not be read');
    const head = { id: event.eventId, createdMs: event.createdMs };
    return known.success ? [{ ...event, body: webhookBody(head, known.data, siteUrl()) }] : [];
  });
  await tx.query(QUEUE_LOCK, [JSON.stringify(written.map(({ userId, event }) => ({ userId, event })))]);
  await tx.query(QUEUE, [JSON.stringify(written), isoOf(nowMs), MOST_WAITING, WEBHOOK_CHANNEL]);
  await tx.query('delete from private.webhook_events where id = any ($1::bigint[])', [events.map(({ id }) => id)]);
  return events.length;
}

/**
 * Locked first: a process that finds an endpoint's queue empty then either waits for this transaction, or its result is
 * seen here.
 */
const QUEUE_LOCK = `
  select e.id from public.webhook_endpoints e
   where exists (select from jsonb_to_recordset($1::text::jsonb) as g ("userId" uuid, event text)
                  where g.event = any (e.events) and (g."userId" = e.user_id or g."userId" is null))
     and (e.user_id in (select g."userId" from jsonb_to_recordset($1::text::jsonb) as g ("userId" uuid))
          or 'forecast.issued' = any (e.events))
   order by e.id for update`;

/** Not banned: events of a ban's time are left out. */
const IS_FREE =
  'exists (select from auth.users u where u.id = e.user_id and coalesce(u.banned_until <= $2::text::timestamptz, true))';

const QUEUE = `
  with given as materialized (
    select * from jsonb_to_recordset($1::text::jsonb) as g (id bigint, "eventId" uuid, "userId" uuid, event text, body text, "createdMs" float8)),
  chosen as materialized (
    select g.*, e.id as endpoint, e.user_id as owner from given g
      join public.webhook_endpoints e on e.user_id = g."userId" and g.event = any (e.events)
     where ${IS_FREE}
    union all
    select g.*, e.id, e.user_id from given g
      join public.webhook_endpoints e on g."userId" is null and 'forecast.issued' = any (e.events) and g.event = any (e.events)
     where ${IS_FREE}),
  room as materialized (
    select c.endpoint, $3::int - (
        select count(*) from public.webhook_deliveries d where d.endpoint_id = c.endpoint and d.state = 'waiting') as places
      from (select distinct endpoint from chosen) c),
  placed as materialized (
    select c.*, row_number() over (partition by c.endpoint order by c.id) <= r.places as has_place
      from chosen c join room r on r.endpoint = c.endpoint),
  written as (
    insert into public.webhook_deliveries (endpoint_id, user_id, event_id, event, body, created_at)
    select p.endpoint, p.owner, p."eventId", p.event, p.body, to_timestamp(p."createdMs" / 1000)
      from placed p where p.has_place order by p.id, p.endpoint
    on conflict (endpoint_id, event_id) do nothing),
  woken as (
    update public.webhook_endpoints e
       set next_try_at = coalesce(e.next_try_at, $2::text::timestamptz), dropped = e.dropped + p.lost
      from (select endpoint, count(*) filter (where not has_place)::int as lost from placed group by endpoint) p
     where e.id = p.endpoint
    returning e.id)
  select pg_notify($4::text, '') from (select count(*) as count from woken) w where w.count > 0`;

/** Deliveries older than this are removed. */
export const RETENTION_MS = DELIVERY_RETENTION_MS;
