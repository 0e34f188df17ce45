/**
 * Figures for machines that watch: counted here, read as Prometheus text or pushed by OTLP. The only home of the
 * library's metrics, which is loaded when they are switched on. See docs/decisions/043-telemetry.md.
 */
import type { BatchObservableResult, Observable } from '@opentelemetry/api';
import type { IMetricReader } from '@opentelemetry/sdk-metrics';
import { within } from '../within.ts';
import type { Logger } from './log.ts';

export interface MetricDefinition {
  /** As Prometheus writes it; a counter's ends with `_total`. */
  name: string;
  help: string;
  /** `counter` and `histogram` are told as things happen, `gauge` and `total` are asked for when somebody reads. */
  kind: 'counter' | 'histogram' | 'gauge' | 'total';
  unit: 's' | 'By' | '1';
  labels: readonly string[];
  /** Upper bounds of a histogram's buckets, ascending; default: those of a web request. */
  buckets?: readonly number[];
}

export type MetricLabels = Readonly<Record<string, string>>;
export type Tell = (name: string, value: number, labels?: MetricLabels) => void;

export interface Metrics {
  /** Of a `counter` by its name. */
  count(name: string, labels: MetricLabels): void;
  /** Of a `histogram` by its name. */
  record(name: string, value: number, labels: MetricLabels): void;
  /** `read` tells gauges and totals whenever somebody reads; what it does not tell is left out then. Never rejects. */
  observe(read: (tell: Tell) => Promise<void>): void;
  /** All of them in Prometheus' text format. */
  text(): Promise<string>;
  /** What was not pushed yet is, unless that takes too long. */
  close(): Promise<void>;
}

/** Who tells. */
export interface Service {
  name: string;
  version: string;
  /** Of each process its own: what several of them push is kept apart by it. */
  instanceId: string;
}

export interface MetricsOptions {
  definitions: readonly MetricDefinition[];
  service: Service;
  /** Told every `intervalMs`; null: nobody is. */
  collector: { url: string; headers: Readonly<Record<string, string>>; intervalMs: number } | null;
  log: Logger;
}

export function resourceOf({ name, version, instanceId }: Service): Record<string, string> {
  return { 'service.name': name, 'service.version': version, 'service.instance.id': instanceId };
}

export const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const WEB_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of one metric, whatever goes wrong with a label; more than the site has patterns of paths times methods times classes. */
const MOST_SERIES = 1500;

export async function openMetrics({ definitions, service, collector, log }: MetricsOptions): Promise<Metrics> {
  await tellFailures(log);
  const [{ AggregationType, MeterProvider }, { PrometheusExporter, PrometheusSerializer }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-prometheus'),
      import('@opentelemetry/resources'),
    ]);
  // The port is ours to open.
  const scraped = new PrometheusExporter({ preventServerStart: true });
  const serializer = new PrometheusSerializer('', false, undefined, true, true);
  const provider = new MeterProvider({
    resource: resourceFromAttributes(resourceOf(service)),
    readers: [scraped, ...(collector === null ? [] : [await pushed(collector)])],
    views: definitions.map(({ name, kind, buckets = WEB_BUCKETS_S }) => ({
      instrumentName: name,
      aggregationCardinalityLimit: MOST_SERIES,
      ...(kind === 'histogram'
        ? { aggregation: { type: AggregationType.EXPLICIT_BUCKET_HISTOGRAM, options: { boundaries: [...buckets] } } }
        : {}),
    })),
  });
  const meter = provider.getMeter(service.name);
  const words = ({ help, unit }: MetricDefinition) => ({ description: help, unit });
  const ofKind = <T>(kind: MetricDefinition['kind'], make: (one: MetricDefinition) => T): ReadonlyMap<string, T> =>
    new Map(definitions.filter((one) => one.kind === kind).map((one) => [one.name, make(one)]));
  const counters = ofKind('counter', (one) => meter.createCounter(one.name, words(one)));
  const histograms = ofKind('histogram', (one) => meter.createHistogram(one.name, words(one)));
  const observed: ReadonlyMap<string, Observable> = new Map([
    ...ofKind('gauge', (one) => meter.createObservableGauge(one.name, words(one))),
    ...ofKind('total', (one) => meter.createObservableCounter(one.name, words(one))),
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
    close: () => sentInTime(provider.shutdown(), log),
  };
}

async function pushed({ url, headers, intervalMs }: NonNullable<MetricsOptions['collector']>): Promise<IMetricReader> {
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
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: Math.min(intervalMs, COLLECT_TIMEOUT_MS),
  });
}

/** Reading the figures and sending them. */
const COLLECT_TIMEOUT_MS = 10_000;
/** Tries and pauses together. */
export const EXPORT_TIMEOUT_MS = 3000;
/** A server that ends waits no longer for a collector, or for a database to ask, that is away. */
const LAST_SEND_MS = 1500;

/** @param ending  of whoever sends what is left */
export async function sentInTime(ending: Promise<void>, log: Logger): Promise<void> {
  const sent = await within(
    ending.then(() => true),
    LAST_SEND_MS,
  ).catch((error: unknown) => {
    log.debug({ err: error }, 'the collector did not take the last of it');
    return false;
  });
  if (sent !== true) log.warn('the last figures or traces could not be sent');
}

/** That a collector did not answer, of figures and traces alike, the library says in a channel of its own. */
async function tellFailures(log: Logger): Promise<void> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api');
  const warn = (message: string) => log.warn({ reason: message.slice(0, 300) }, 'figures or traces could not be sent');
  const silent = () => undefined;
  const logger = { error: warn, warn, info: silent, debug: silent, verbose: silent };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
