/** Each label has few values. docs/operating/watching.md explains them; deploy/grafana and deploy/alerts.yaml depend on them. */
import type { MetricDefinition } from '../platform/telemetry/metrics.ts';

type Kind = MetricDefinition['kind'];
type Labels = readonly string[];

const one =
  (kind: Kind, unit: MetricDefinition['unit']) =>
  (name: string, help: string, labels: Labels = []): MetricDefinition => ({ name, help, kind, unit, labels });
const gauge = one('gauge', '1');
const age = one('gauge', 's');
const total = one('total', '1');
const counter = one('counter', '1');
const seconds = (name: string, help: string, labels: Labels, buckets?: readonly number[]): MetricDefinition => ({
  ...one('histogram', 's')(name, help, labels),
  ...(buckets === undefined ? {} : { buckets }),
});

/** From a cached row to a statement at its time limit. */
const STATEMENT_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
const CALL_S = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const JOB_S = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300];
const FORECAST_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

const FEED: Labels = ['feed', 'source', 'subject'];

export const METRICS: readonly MetricDefinition[] = [
  // Recorded as events happen in this process.
  seconds('kat_http_request_seconds', 'Time until the response begins', ['route', 'method', 'status']),
  seconds('kat_forecast_seconds', 'Duration of one computation, including the wait', ['model', 'outcome'], FORECAST_S),
  counter('kat_forecasts_asked_total', 'Requested forecasts; those not computed were served from the cache', [
    'model',
    'outcome',
  ]),
  seconds('kat_feed_call_seconds', 'Duration of one attempt to call a feed', ['host', 'outcome'], CALL_S),
  seconds(
    'kat_payment_call_seconds',
    'Duration of one attempt to call the payment provider',
    ['call', 'outcome'],
    CALL_S,
  ),
  counter('kat_payment_ignored_total', 'Events about another product on the same payment account', ['subject']),
  counter('kat_data_refused_total', 'Error reports and uploads refused because a byte budget was used up', [
    'budget',
    'share',
  ]),
  seconds('kat_job_run_seconds', 'Duration of one run of a job', ['job_name', 'outcome'], JOB_S),
  seconds(
    'kat_database_statement_seconds',
    'Duration of one statement, including the wait for a session',
    ['statement', 'outcome'],
    STATEMENT_S,
  ),
  seconds(
    'kat_database_transaction_seconds',
    'Duration of one transaction of several statements',
    ['outcome'],
    STATEMENT_S,
  ),

  // State of this process, read at each scrape.
  gauge('kat_build_info', 'Always 1; its labels show the running version', ['version', 'node']),
  one('gauge', 'By')('kat_process_memory_bytes', 'Memory of the process', ['kind']),
  age('kat_process_uptime_seconds', 'Time since the process started'),
  age('kat_event_loop_delay_seconds', 'How late timers fired in the last minute or two', ['point']),
  gauge('kat_loop_utilization', 'Share of the last 250 ms in which the event loop was busy'),
  gauge('kat_admission_waiting', 'Requests waiting for their turn, by class of work', ['work']),
  age('kat_admission_oldest_seconds', 'How long the oldest waiting request has waited, by class of work', ['work']),
  total('kat_admission_requests_total', 'Requests by class of work: admitted, refused, or abandoned while waiting', [
    'work',
    'outcome',
  ]),
  age('kat_book_updates_apart_seconds', 'Minimum time between two updates of a book; above 0 under load'),
  gauge('kat_database_sessions', 'Pool sessions by state; waiting: callers without a session', ['state']),
  age('kat_feed_age_seconds', 'Age of the latest data from a market feed', FEED),
  gauge('kat_feed_serving', '1 if this source is in use for its subject', FEED),
  gauge('kat_feed_failures', 'Consecutive failed attempts', FEED),
  age('kat_candles_late_seconds', 'How far the newest candle of a symbol’s best source is behind schedule', [
    'subject',
  ]),
  gauge('kat_live_sockets', 'Open pages that receive live prices'),
  total('kat_live_sockets_refused_total', 'Refused live sockets', ['reason']),
  gauge('kat_books_stale', 'Order books that no longer receive updates'),
  gauge('kat_forecast_streams', 'Open forecast streams'),
  total('kat_forecast_streams_refused_total', 'Forecast streams refused because the user had too many open'),
  gauge('kat_model_ready', '1 if the model is ready', ['model']),
  gauge('kat_bus_connected', '1 if the broker between processes is connected, or if there is no broker'),
  total('kat_bus_dropped_total', 'Dropped messages to other processes'),
  gauge('kat_facts_ok', '1 if the database returned the figures below in time'),

  // State of the database: the same from every process.
  age('kat_database_answer_seconds', 'Duration of a trivial query, including the wait for a session'),
  age('kat_reference_age_seconds', 'Age of a reference figure', ['feed']),
  gauge('kat_news_feed_failures', 'Consecutive failed attempts', ['host']),
  gauge('kat_feed_calls_of_month', 'Share of a feed’s monthly call allowance that has been used', ['feed']),
  gauge('kat_queue_waiting', 'Waiting rows in a queue, counted up to a thousand', ['queue']),
  age('kat_queue_oldest_seconds', 'How long the oldest waiting row of a queue has waited', ['queue']),
  total('kat_job_runs_total', 'Runs of a job in all processes', ['job_name']),
  gauge('kat_job_failures', 'Consecutive failed runs', ['job_name']),
  age('kat_job_since_ok_seconds', 'Time since the last successful run', ['job_name']),
  age('kat_job_overdue_seconds', 'How long an overdue job has waited for a process to start it', ['job_name']),
  gauge('kat_payment_alarms_open', 'Billing alarms not yet acknowledged'),
  gauge('kat_votes_counted', 'Votes in the last 24 hours', ['direction']),
  gauge('kat_record_forecasts', 'House forecasts in the last 24 hours, by outcome', ['state']),
  age('kat_record_newest_age_seconds', 'Time since the newest house forecast'),
  gauge('kat_mails_of_day', 'Emails queued in the last 24 hours, by outcome', ['state']),
  gauge('kat_page_errors_last_hour', 'Errors reported by pages in the last hour, counted up to a thousand'),
];
