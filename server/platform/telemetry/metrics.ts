/** The only module that uses the library's metrics, loaded only when enabled: docs/decisions/043-telemetry.md. */
import type { BatchObservableResult, Observable } from '@opentelemetry/api';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { within } from '#domain/time/deadline.ts';
import type { Logger } from './log.ts';

export interface MetricDefinition {
  /** In Prometheus style; a counter's name ends with `_total`. */
  name: string;
  help: string;
  /** `counter` and `histogram` are recorded as events happen; `gauge` and `total` are read at each collection. */
  kind: 'counter' | 'histogram' | 'gauge' | 'total';
  unit: 's' | 'By' | '1';
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets, ascending. Default: suitable for web requests. */
  buckets?: readonly number[];
}

export type MetricLabels = Readonly<Record<string, string>>;
export type Report = (name: string, value: number, labels?: MetricLabels) => void;

export interface Metrics {
  count(name: string, labels: MetricLabels): void;
  record(name: string, value: number, labels: MetricLabels): void;
  /** `read` reports gauges and totals at each collection; unreported values are omitted. It must not reject. */
  observe(read: (report: Report) => Promise<void>): void;
  text(): Promise<string>;
  /** Pushes pending data, unless that takes too long. */
  close(): Promise<void>;
}

export interface Service {
  name: string;
  version: string;
  /** Unique per process, to distinguish what several processes push. */
  instanceId: string;
}

export interface MetricsOptions {
  definitions: readonly MetricDefinition[];
  service: Service;
  /** Where metrics are pushed every minute; null for nowhere. */
  collector: { url: string; headers: Readonly<Record<string, string>> } | null;
  log: Logger;
}

export function resourceOf({ name, version, instanceId }: Service): Record<string, string> {
  return { 'service.name': name, 'service.version': version, 'service.instance.id': instanceId };
}

export const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const WEB_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Series per metric, in case a label goes wrong; above the site's path patterns times methods times status classes. */
const MOST_SERIES = 1500;

export async function openMetrics({ definitions, service, collector, log }: MetricsOptions): Promise<Metrics> {
  await logFailures(log);
  const [{ AggregationType, MeterProvider }, { PrometheusExporter, PrometheusSerializer }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-prometheus'),
      import('@opentelemetry/resources'),
    ]);
  // We open the port ourselves.
  const scraped = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  const provider = new MeterProvider({
    resource: resourceFromAttributes(resourceOf(service)),
    readers: [scraped, ...(collector === null ? [] : [await openPushReader(collector)])],
    views: definitions.map(({ name, kind, buckets = WEB_BUCKETS_S }) => ({
      instrumentName: name,
      aggregationCardinalityLimit: MOST_SERIES,
      ...(kind === 'histogram'
        ? { aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: [...buckets] } } }
        : {}),
    })),
  });
  const meter = provider.getMeter(service.name);
  const optionsOf = ({ help, unit }: MetricDefinition) => ({ description: help, unit });
  const ofKind = <T>(kind: MetricDefinition['kind'], make: (one: MetricDefinition) => T): ReadonlyMap<string, T> =>
    new Map(definitions.filter((one) => one.kind === kind).map((one) => [one.name, make(one)]));
  const counters = ofKind('counter', (one) => meter.createCounter(one.name, optionsOf(one)));
  const histograms = ofKind('histogram', (one) => meter.createHistogram(one.name, optionsOf(one)));
  const observed: ReadonlyMap<string, Observable> = new Map([
    ...ofKind('gauge', (one) => meter.createObservableGauge(one.name, optionsOf(one))),
    ...ofKind('total', (one) => meter.createObservableCounter(one.name, optionsOf(one))),
  ]);

  return {
    count: (name, labels) => counters.get(name)?.add(1, labels),
    record: (name, value, labels) => histograms.get(name)?.record(value, labels),
    observe(read) {
      const callback = (result: BatchObservableResult) =>
        read((name, value, labels = {}) => {
          const instrument = observed.get(name);
          if (instrument !== undefined) result.observe(instrument, value, labels);
        });
      meter.addBatchObservableCallback(callback, [...observed.values()]);
    },
    async text() {
      const { resourceMetrics } = await scraped.collect();
      return serializer.serialize(resourceMetrics);
    },
    close: () => sendInTime(provider.shutdown(), log),
  };
}

async function openPushReader({ url, headers }: NonNullable<MetricsOptions['collector']>): Promise<IMetricReader> {
  const [{ PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
  return new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({
      url: `${url}/v1/metrics`,
      headers: { ...headers },
      timeoutMillis: EXPORT_TIMEOUT_MS,
    }),
    exportIntervalMillis: PUSH_MS,
    exportTimeoutMillis: COLLECT_TIMEOUT_MS,
  });
}

const COLLECT_TIMEOUT_MS = 10_000;
const PUSH_MS = 60_000;
export const EXPORT_TIMEOUT_MS = 3000;
/** How long a stopping server waits for an unavailable collector, or for a database that supplies metrics. */
const LAST_SEND_MS = 1500;

/** @param ending  resolves once the pending data is sent */
export async function sendInTime(ending: Promise<void>, log: Logger): Promise<void> {
  const sent = await within(
    ending.then(() => true),
    LAST_SEND_MS,
  ).catch((error: unknown) => {
    log.debug({ err: error }, 'the collector did not accept the last batch');
    return false;
  });
  if (sent !== true) log.warn('the last metrics or traces could not be sent');
}

/** The library reports unreachable collectors of metrics and traces only in its diagnostic channel. */
async function logFailures(log: Logger): Promise<void> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const warn = (message: string) => log.warn({ reason: message.slice(0, 300) }, 'metrics or traces could not be sent');
  const ignore = () => undefined;
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
