/** The site's facts as metrics, taken at each scrape: the values of the operator's view, without its text. */
import * as z from 'zod/mini';
import { isAtRest } from '#domain/operations/job-rest.ts';
import type { OperationsFacts } from '#domain/operations/operations-state.ts';
import type { Clock } from '#domain/time/clock.ts';
import { within } from '#domain/time/deadline.ts';
import type { StreamFigures } from '../forecast/forecast-meter.ts';
import type { MarketState } from '../market/market-state.ts';
import { asOwner, type Database } from '../platform/database/database.ts';
import type { Pooled } from '../platform/database/session-pool.ts';
import type { BusState } from '../platform/processes/bus.ts';
import type { Report } from '../platform/telemetry/metrics.ts';
import type { ProcessMeter } from './process-meter.ts';

export interface SiteFiguresDeps {
  database: Database & Partial<Pooled>;
  clock: Clock;
  process: ProcessMeter;
  overload(): OperationsFacts['overload'];
  market: { state(): MarketState };
  bus: { state(): BusState };
  /** For forecasts. */
  streams: { figures(): StreamFigures };
  snapshot(): Promise<OperationsFacts>;
}

/** Scrapers give up after ten seconds: without the database the process must still report itself. */
const PATIENCE_MS = 3000;
const MINUTE_S = 60;

/** Never rejects. */
export async function reportFigures(deps: SiteFiguresDeps, report: Report): Promise<void> {
  reportProcess(deps, report);
  reportOverload(deps.overload(), report);
  reportMarket(deps.market.state(), report);
  const { isConnected, dropped } = deps.bus.state();
  report('kat_bus_connected', Number(isConnected));
  report('kat_bus_dropped_total', dropped);
  const streams = deps.streams.figures();
  report('kat_forecast_streams', streams.open);
  report('kat_forecast_streams_refused_total', streams.refused);
  const facts = await inTime(deps.snapshot());
  const depths = facts === null ? null : await inTime(readDepths(deps.database, deps.clock.nowMs()));
  report('kat_facts_ok', Number(facts !== null && depths !== null));
  if (facts !== null) reportFacts(facts, report);
  if (depths !== null) reportDepths(depths, report);
}

/** Null when it fails or takes too long. */
function inTime<T>(pending: Promise<T>): Promise<T | null> {
  // Other callers report the reason; here the metric kat_facts_ok shows the failure.
  return within(
    pending.catch(() => null),
    PATIENCE_MS,
  );
}

function reportProcess({ process, clock, database }: SiteFiguresDeps, report: Report): void {
  const { version, node, startedAtMs, eventLoop } = process.read();
  const { rss, heapUsed, external } = globalThis.process.memoryUsage();
  report('kat_build_info', 1, { version, node });
  for (const [kind, bytes] of Object.entries({ rss, heapUsed, external }))
    report('kat_process_memory_bytes', bytes, { kind });
  report('kat_process_uptime_seconds', (clock.nowMs() - startedAtMs) / 1000);
  const delays = { median: eventLoop.medianMs, p99: eventLoop.p99Ms, max: eventLoop.maxMs };
  for (const [point, ms] of Object.entries(delays)) report('kat_event_loop_delay_seconds', ms / 1000, { point });
  const pool = database.pool?.();
  if (pool === undefined) return;
  const states = { size: pool.size, in_use: pool.inUse, waiting: pool.waiting };
  for (const [state, count] of Object.entries(states)) report('kat_database_sessions', count, { state });
}

function reportOverload({ bookEveryMs, utilization, classes }: OperationsFacts['overload'], report: Report): void {
  report('kat_loop_utilization', utilization);
  report('kat_book_updates_apart_seconds', bookEveryMs / 1000);
  for (const { name, waiting, oldestMs, admitted, refused, left } of classes) {
    report('kat_admission_waiting', waiting, { work: name });
    report('kat_admission_oldest_seconds', oldestMs / 1000, { work: name });
    for (const [outcome, count] of Object.entries({ admitted, refused, left }))
      report('kat_admission_requests_total', count, { work: name, outcome });
  }
}

function reportMarket({ feeds, liveSocket }: MarketState, report: Report): void {
  const late = new Map<string, number>();
  for (const { feed, source, subject: of, isServing, ageS, failures } of feeds) {
    const subject = of ?? 'all';
    const labels = { feed, source, subject };
    if (ageS !== null) report('kat_feed_age_seconds', ageS, labels);
    report('kat_feed_serving', Number(isServing), labels);
    report('kat_feed_failures', failures, labels);
    if (feed !== 'candles' || !isServing || ageS === null) continue;
    late.set(subject, Math.min(late.get(subject) ?? Number.POSITIVE_INFINITY, Math.max(0, ageS - MINUTE_S)));
  }
  for (const [subject, s] of late) report('kat_candles_late_seconds', s, { subject });
  report('kat_live_sockets', liveSocket.connections);
  for (const [reason, count] of Object.entries(liveSocket.refused))
    report('kat_live_sockets_refused_total', count, { reason });
  report('kat_books_stale', liveSocket.staleProducts.length);
}

function reportFacts(facts: OperationsFacts, report: Report): void {
  const { database, takenAtMs, webhooks, mail, deliveries, chats, payments, record } = facts;
  const ageS = (atMs: number, nowMs: number) => Math.max(0, nowMs - atMs) / 1000;
  report('kat_database_answer_seconds', database.latencyMs / 1000);
  for (const { feed, fetchedAtMs } of facts.references)
    report('kat_reference_age_seconds', ageS(fetchedAtMs, takenAtMs), { feed });
  for (const { host, failures } of facts.news) report('kat_news_feed_failures', failures, { host });
  for (const { feed, calls, allowance } of facts.budgets)
    report('kat_feed_calls_of_month', calls / allowance, { feed });
  for (const { name, state } of facts.models) report('kat_model_ready', Number(state === 'ready'), { model: name });
  // A job that is switched off must not alert anyone.
  for (const job of facts.jobs) if (!isAtRest(job, facts)) reportJob(job, database.nowMs, report);
  const queues = {
    mail: { ...mail, open: mail.waiting, nowMs: takenAtMs },
    webhooks: { ...webhooks, nowMs: database.nowMs },
    // The time that the longest overdue one is late: a receiver that fails for hours must not alert anyone.
    chat: { open: chats.waiting, oldestAtMs: chats.dueSinceMs, nowMs: takenAtMs },
    webhook_deliveries: { open: deliveries.waiting, oldestAtMs: deliveries.dueSinceMs, nowMs: takenAtMs },
  };
  for (const [queue, { open, oldestAtMs, nowMs }] of Object.entries(queues)) {
    report('kat_queue_waiting', open.count, { queue });
    report('kat_queue_oldest_seconds', oldestAtMs === null ? 0 : ageS(oldestAtMs, nowMs), { queue });
  }
  report('kat_mails_of_day', mail.sent, { state: 'sent' });
  report('kat_mails_of_day', mail.failed, { state: 'failed' });
  report('kat_payment_alarms_open', payments.openAlarms.count);
  const { issued, known, void: voided, missed } = record;
  for (const [state, count] of Object.entries({ issued, known, void: voided, missed }))
    report('kat_record_forecasts', count, { state });
  if (record.newestAtMs !== null) report('kat_record_newest_age_seconds', ageS(record.newestAtMs, takenAtMs));
  report('kat_page_errors_last_hour', facts.errors.lastHour.count);
}

function reportJob(job: OperationsFacts['jobs'][number], nowMs: number, report: Report): void {
  const labels = { job_name: job.name };
  report('kat_job_runs_total', job.runs, labels);
  report('kat_job_failures', job.failures, labels);
  if (job.lastOkAtMs !== null) report('kat_job_since_ok_seconds', Math.max(0, nowMs - job.lastOkAtMs) / 1000, labels);
  // A running job is overdue after its lease ends: its process has died by then.
  const dueMs = job.isRunning ? (job.leaseEndsAtMs ?? job.nextDueAtMs) : job.nextDueAtMs;
  report('kat_job_overdue_seconds', Math.max(0, nowMs - dueMs) / 1000, labels);
}

function reportDepths(depths: Depths, report: Report): void {
  const { push, outcomes, scores, seals } = depths;
  for (const [queue, count] of Object.entries({ push, outcomes, scores, seals }))
    report('kat_queue_waiting', count, { queue });
  report('kat_queue_oldest_seconds', depths.pushOldestS ?? 0, { queue: 'push' });
  report('kat_votes_counted', depths.votesUp, { direction: 'up' });
  report('kat_votes_counted', depths.votesDown, { direction: 'down' });
}

const depthsSchema = z.object({
  push: z.number(),
  outcomes: z.number(),
  scores: z.number(),
  seals: z.number(),
  pushOldestS: z.nullable(z.number()),
  votesUp: z.number(),
  votesDown: z.number(),
});
type Depths = z.infer<typeof depthsSchema>;

/** Maximum number of rows counted. */
const MOST_COUNTED = 1000;
/** The same for votes, which are counted by an index alone. */
const MOST_VOTES = 100_000;

/** @param nowMs  by the product's clock, which dates all of these */
export async function readDepths(database: Database, nowMs: number): Promise<Depths> {
  const [row] = await asOwner(database).query<{ facts: unknown }>(QUERY, [new Date(nowMs).toISOString(), nowMs]);
  return depthsSchema.parse(row?.facts);
}

const counted = (rows: string) => `(select count(*) from (${rows} limit ${MOST_COUNTED}) counted)`;
const votes = (direction: 'up' | 'down') =>
  `(select count(*) from (select 1 from private.votes where currency = 'btc' and direction = '${direction}'
      and created_at > $1::text::timestamptz - interval '24 hours' limit ${MOST_VOTES}) counted)`;

const QUERY = `select json_build_object(
  'push', ${counted("select 1 from private.outgoing_pushes where state = 'waiting'")},
  'pushOldestS', (select extract(epoch from $1::text::timestamptz - min(next_try_at))::float8 from private.outgoing_pushes
     where state = 'waiting' and next_try_at <= $1::text::timestamptz),
  'outcomes', ${counted("select 1 from public.prediction_outcomes where state = 'waiting' and next_try_at <= $1::text::timestamptz")},
  'scores', ${counted('select 1 from private.track_waiting where next_try_s <= $2::float8 / 1000')},
  'seals', ${counted(`select 1 from private.track_records where issued_ms < ($2::bigint / 3600000) * 3600000
     and seq > coalesce((select first_seq + count - 1 from private.track_hours order by hour_s desc limit 1), -1)`)},
  'votesUp', ${votes('up')},
  'votesDown', ${votes('down')}) as facts`;
