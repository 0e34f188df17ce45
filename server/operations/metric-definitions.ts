/** Each label has few values. docs/operating.md explains them; deploy/grafana and deploy/alerts.yaml depend on them. */
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
  seconds('kat_http_request_seconds', 'Time until the answer begins', ['route', 'method', 'status']),
  seconds('kat_forecast_seconds', 'One computation, waiting included', ['model', 'outcome'], FORECAST_S),
  counter('kat_forecasts_asked_total', 'Requested forecasts; those beyond the computed ones were shared', [
    'model',
    'outcome',
  ]),
  seconds('kat_feed_call_seconds', 'One try of a call to a feed', ['host', 'outcome'], CALL_S),
  seconds('kat_payment_call_seconds', 'One try of a call to the payment provider', ['call', 'outcome'], CALL_S),
  counter('kat_data_refused_total', 'Reports and pictures refused because a budget of bytes was used up', [
    'budget',
    'share',
  ]),
  seconds('kat_job_run_seconds', 'One run of a job', ['job_name', 'outcome'], JOB_S),
  seconds(
    'kat_database_statement_seconds',
    'One statement, waiting for a session included',
    ['statement', 'outcome'],
    STATEMENT_S,
  ),
  seconds('kat_database_transaction_seconds', 'One transaction of several statements', ['outcome'], STATEMENT_S),

  // State of this process, read at each scrape.
  gauge('kat_build_info', 'Always 1; its labels show the running version', ['version', 'node']),
  one('gauge', 'By')('kat_process_memory_bytes', 'Memory of the process', ['kind']),
  age('kat_process_uptime_seconds', 'Time since the process started'),
  age('kat_event_loop_delay_seconds', 'How late timers fire, within the last minute or two', ['point']),
  gauge('kat_loop_utilization', 'Share of the last quarter of a second in which the event loop worked'),
  gauge('kat_admission_waiting', 'Requests that wait for their turn, by class of work', ['work']),
  age('kat_admission_oldest_seconds', 'How long the first of them has waited', ['work']),
  total('kat_admission_requests_total', 'Requests by class of work: admitted, refused, or left before their turn', [
    'work',
    'outcome',
  ]),
  age('kat_book_updates_apart_seconds', 'Minimum time between two updates of a book; above 0 under load'),
  gauge('kat_database_sessions', 'Sessions of the pool by state; waiting: callers without one', ['state']),
  age('kat_feed_age_seconds', 'Age of the last data of a market feed', FEED),
  gauge('kat_feed_serving', 'Whether this source serves its subject', FEED),
  gauge('kat_feed_failures', 'Consecutive failed attempts', FEED),
  age(
    'kat_candles_late_seconds',
    'How much later than a minute the newest candle of a symbol is, served by the best source',
    ['subject'],
  ),
  gauge('kat_live_sockets', 'Pages that read live prices'),
  total('kat_live_sockets_refused_total', 'Live sockets that were refused', ['reason']),
  gauge('kat_books_stale', 'Order books without updates'),
  gauge('kat_forecast_streams', 'Forecasts that are being streamed'),
  total('kat_forecast_streams_refused_total', 'Streams refused to users at their limit of open streams'),
  gauge('kat_model_ready', 'Whether the model is ready', ['model']),
  gauge('kat_bus_connected', 'Whether the broker between processes is connected; 1 without a broker'),
  total('kat_bus_dropped_total', 'Messages to other processes that were dropped'),
  gauge('kat_facts_ok', 'Whether the database returned the following figures in time'),

  // State of the database: the same from every process.
  age('kat_database_answer_seconds', 'One trivial query, waiting for a session included'),
  age('kat_reference_age_seconds', 'Age of a reference figure', ['feed']),
  gauge('kat_news_feed_failures', 'Consecutive failed attempts', ['host']),
  gauge('kat_feed_calls_of_month', 'Share of a feed’s monthly allowance that is used up', ['feed']),
  gauge('kat_queue_waiting', 'Rows that wait; counted up to a thousand', ['queue']),
  age('kat_queue_oldest_seconds', 'How long the first of them has waited', ['queue']),
  total('kat_job_runs_total', 'Runs of a job, by whichever process', ['job_name']),
  gauge('kat_job_failures', 'Failed runs in a row', ['job_name']),
  age('kat_job_since_ok_seconds', 'Time since the last successful run', ['job_name']),
  age('kat_job_overdue_seconds', 'How long a due job has waited for a process', ['job_name']),
  gauge('kat_payment_alarms_open', 'Billing alarms that are not acknowledged'),
  gauge('kat_votes_counted', 'Votes of the last 24 hours', ['direction']),
  gauge('kat_record_forecasts', 'House forecasts of the last 24 hours, by outcome', ['state']),
  age('kat_record_newest_age_seconds', 'Time since the newest house forecast'),
  gauge('kat_mails_of_day', 'Emails written within 24 hours, by outcome', ['state']),
  gauge('kat_page_errors_last_hour', 'Errors that pages reported; counted up to a thousand'),
];
