/** One query. Every count is bounded and uses an index, so the view costs the same in an incident. */
import * as z from 'zod/mini';
import { jobSchema, type OperationsFacts, operationsFactsSchema } from '#domain/operations/operations-state.ts';
import { asOwner, type Database } from '../../platform/database/database.ts';

const newsSchema = z.object({
  url: z.string(),
  lastOkAtMs: z.nullable(z.number()),
  nextDueAtMs: z.number(),
  failures: z.number(),
  lastError: z.nullable(z.string()),
});
const callsSchema = z.object({ feed: z.string(), calls: z.number() });
const { shape } = operationsFactsSchema;
const queuesSchema = z.object({
  nowMs: z.number(),
  jobs: z.array(z.omit(jobSchema, { isOurs: true })),
  references: shape.references,
  calls: z.array(callsSchema),
  news: z.array(newsSchema),
  webhooks: shape.webhooks,
  payments: z.omit(shape.payments, { mode: true }),
  mail: z.omit(shape.mail, { isSending: true }),
  push: z.omit(shape.push, { kind: true }),
  deliveries: shape.deliveries,
  chats: z.omit(shape.chats, { kinds: true }),
  errors: shape.errors,
});
type StoredQueues = z.infer<typeof queuesSchema>;

export interface Queues extends Omit<StoredQueues, 'news' | 'calls'> {
  news: OperationsFacts['news'];
  /** Calls of this month, by feed. */
  calls: ReadonlyMap<string, number>;
}

/** Maximum number of rows counted. */
const MOST_COUNTED = 1000;
/** Maximum number of a day's mails, and of notifications, scanned. */
const MOST_MAILS = 10_000;
/** Maximum length of a list. */
const MOST_LISTED = 100;

/**
 * @param of.mode whose customers count. @param of.community whose news feeds are in use
 * @param of.nowMs by the product's clock, which dates the mail queue
 */
export async function readQueues(
  database: Database,
  of: { mode: string; community: string; nowMs: number },
): Promise<Queues> {
  const nowIso = new Date(of.nowMs).toISOString();
  const rows = await asOwner(database).query<{ facts: unknown }>(QUERY, [
    of.mode,
    of.community,
    nowIso,
    `${nowIso.slice(0, 7)}-01`,
  ]);
  const { news, calls, ...facts } = queuesSchema.parse(rows[0]?.facts);
  return {
    ...facts,
    calls: new Map(calls.map((one) => [one.feed, one.calls])),
    // Only the host is shown, because the address may contain a key. Feeds of a sandbox have a name and no address.
    news: news.map(({ url, ...rest }) => ({ host: URL.parse(url)?.host || url.replace(/[?#].*$/, ''), ...rest })),
  };
}

const ms = (time: string) => `(extract(epoch from ${time}) * 1000)::float8`;

/** @param rows  a query of rows without limit */
const counted = (rows: string) =>
  `(select json_build_object('count', least(count(*), ${MOST_COUNTED}), 'isMore', count(*) > ${MOST_COUNTED})
      from (${rows} limit ${MOST_COUNTED + 1}) counted)`;

/** @param rows  a query of the objects' fields, in order */
const list = (rows: string) => `(select coalesce(json_agg(row_to_json(listed)), '[]') from (${rows}) listed)`;

const OPEN_EVENTS =
  'select attempts, last_error from public.stripe_events where processed_at is null order by received_at';
const OPEN_ALARMS = 'from public.billing_alarms where acknowledged_at is null';

const QUERY = `
with written as materialized (
  select kind, state, last_error from private.outgoing_mail
   where created_at >= $3::text::timestamptz - interval '24 hours' order by created_at desc limit ${MOST_MAILS}),
pushed as materialized (
  select state, last_error from private.outgoing_pushes
   where created_at >= $3::text::timestamptz - interval '24 hours' order by created_at desc limit ${MOST_MAILS}),
chatted as materialized (
  select state, last_error from private.chat_messages
   where created_at >= $3::text::timestamptz - interval '24 hours' order by created_at desc limit ${MOST_MAILS}),
delivered as materialized (
  select state, problem from public.webhook_deliveries
   where created_at >= $3::text::timestamptz - interval '24 hours' order by created_at desc limit ${MOST_MAILS})
select json_build_object(
  'nowMs', ${ms('now()')},
  'jobs', ${list(`
    select name, holder is not null as "isRunning", ${ms('lease_ends_at')} as "leaseEndsAtMs", ${ms('next_due_at')} as "nextDueAtMs",
           ${ms('last_ok_at')} as "lastOkAtMs", runs, failures, last_error as "lastError"
      from private.jobs order by name limit ${MOST_LISTED}`)},
  'references', ${list(`
    select feed, market_kind as kind, attribution, ${ms('fetched_at')} as "fetchedAtMs"
      from private.feed_values order by feed, market_kind limit ${MOST_LISTED}`)},
  'calls', ${list('select feed, calls from private.feed_calls where month = $4::text::date')},
  'news', ${list(`
    select url, ${ms('last_ok_at')} as "lastOkAtMs", ${ms('next_due_at')} as "nextDueAtMs", failures, last_error as "lastError"
      from private.news_feeds where kind = $2::text order by url limit ${MOST_LISTED}`)},
  'webhooks', json_build_object(
    'open', ${counted(OPEN_EVENTS)},
    'oldestAtMs', (select ${ms('min(received_at)')} from public.stripe_events where processed_at is null),
    'mostAttempts', (select coalesce(max(attempts), 0) from (${OPEN_EVENTS} limit ${MOST_COUNTED}) open),
    'errors', ${list(`
      select last_error as code, count(*) as count from (${OPEN_EVENTS} limit ${MOST_COUNTED}) open
       where last_error is not null group by last_error order by count(*) desc, last_error limit 5`)}),
  'payments', json_build_object(
    'customers', ${counted('select 1 from public.stripe_customers where mode = $1::text and customer_id is not null')},
    'openAlarms', ${counted(`select 1 ${OPEN_ALARMS}`)},
    'alarms', ${list(`
      select id, kind, subject, count, ${ms('first_seen_at')} as "firstAtMs", ${ms('last_seen_at')} as "lastAtMs"
        ${OPEN_ALARMS} order by last_seen_at desc limit ${MOST_LISTED}`)}),
  'mail', json_build_object(
    'waiting', ${counted("select 1 from private.outgoing_mail where state = 'waiting'")},
    'oldestAtMs', (select ${ms('min(created_at)')} from (
      select created_at from private.outgoing_mail where state = 'waiting' order by next_try_at limit ${MOST_COUNTED}) waiting),
    'sent', (select count(*) from written where state = 'sent'),
    'failed', (select count(*) from written where state = 'failed'),
    'errors', ${list(`
      select kind, last_error as error, count(*) as count from written
       where last_error is not null group by kind, last_error order by count(*) desc, kind limit 10`)}),
  'push', json_build_object(
    'devices', ${counted('select 1 from public.push_subscriptions')},
    'waiting', ${counted("select 1 from private.outgoing_pushes where state = 'waiting'")},
    'oldestAtMs', (select ${ms('min(created_at)')} from (
      select created_at from private.outgoing_pushes where state = 'waiting' order by next_try_at limit ${MOST_COUNTED}) waiting),
    'sent', (select count(*) from pushed where state = 'sent'),
    'failed', (select count(*) from pushed where state = 'failed'),
    'errors', ${list(`
      select last_error as error, count(*) as count from pushed
       where last_error is not null group by last_error order by count(*) desc, last_error limit 10`)}),
  'deliveries', json_build_object(
    'endpoints', ${counted('select 1 from public.webhook_endpoints')},
    'paused', ${counted("select 1 from public.webhook_endpoints where state = 'paused'")},
    'failing', ${counted("select 1 from public.webhook_endpoints where state = 'active' and failures > 0")},
    'waiting', ${counted(`
      select 1 from public.webhook_endpoints e
        join public.webhook_deliveries d on d.endpoint_id = e.id and d.state = 'waiting' where e.state = 'active'`)},
    'dueSinceMs', (select ${ms('min(due.at)')} from (
      select min(next_try_at) as at from public.webhook_endpoints
       where state = 'active' and next_try_at <= $3::text::timestamptz
      union all select created_at from (select created_at from private.webhook_events order by id limit 1) first) due),
    'sent', (select count(*) from delivered where state = 'delivered'),
    'errors', ${list(`
      select problem as error, count(*) as count from delivered
       where state = 'waiting' and problem is not null group by problem order by count(*) desc, problem limit 10`)}),
  'chats', json_build_object(
    'linked', ${counted('select 1 from public.chat_channels')},
    'paused', ${counted("select 1 from public.chat_channels where pause_reason <> 'owner'")},
    'waiting', ${counted("select 1 from private.chat_messages where state = 'waiting'")},
    'dueSinceMs', (select ${ms('min(next_try_at)')} from (
      select next_try_at from private.chat_messages
       where state = 'waiting' and next_try_at <= $3::text::timestamptz limit ${MOST_COUNTED}) due),
    'sent', (select count(*) from chatted where state = 'sent'),
    'failed', (select count(*) from chatted where state = 'failed'),
    'errors', ${list(`
      select last_error as error, count(*) as count from chatted
       where last_error is not null group by last_error order by count(*) desc, last_error limit 10`)}),
  'errors', json_build_object(
    'lastHour', ${counted("select 1 from public.error_logs where received_at >= now() - interval '1 hour'")})
) as facts`;
