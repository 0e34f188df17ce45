/** The site's telemetry: metrics at /metrics or pushed, and traces. Does nothing unless configured. */
import { randomUUID } from 'node:crypto';
import type { Hono } from 'hono';
import type { TelemetryConfig } from '../platform/config/config-telemetry.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { type Metrics, openMetrics } from '../platform/telemetry/metrics.ts';
import { metricsRoutes, openMetricsEndpoint } from '../platform/telemetry/metrics-endpoint.ts';
import { type Step, type StepWatcher, watchSteps } from '../platform/telemetry/steps.ts';
import { METRICS } from './metric-definitions.ts';
import { reportFigures, type SiteFiguresDeps } from './site-figures.ts';

export interface TelemetryOptions {
  settings: TelemetryConfig;
  version: string;
  log: Logger;
}

export interface Telemetry {
  /** Routes of the site's own port; none without a token. */
  routes: readonly Hono[];
  /** Starts reporting the whole site, and opens the separate port. */
  start(deps: SiteFiguresDeps): Promise<void>;
  close(): Promise<void>;
}

const SERVICE_NAME = 'kat';

export async function openTelemetry({ settings, version, log }: TelemetryOptions): Promise<Telemetry> {
  const { token, ownPort, collector, tracedShare } = settings;
  const service = { name: SERVICE_NAME, version, instanceId: randomUUID() };
  const undo: (() => unknown)[] = [];
  const hasMetrics = token !== null || ownPort !== null || collector !== null;
  const metrics = hasMetrics ? await openMetrics({ definitions: METRICS, service, collector, log }) : null;
  if (metrics !== null) undo.push(() => metrics.close(), watchSteps(meter(metrics)));
  if (collector !== null && tracedShare > 0) {
    const { openTraces } = await import('../platform/telemetry/traces.ts');
    const traces = await openTraces({ service, collector, share: tracedShare, log });
    undo.push(() => traces.close(), watchSteps(traces));
  }
  return {
    routes: metrics === null || token === null ? [] : [metricsRoutes(() => metrics.text(), token)],
    async start(deps) {
      if (metrics === null) return;
      metrics.observe((report) => reportFigures(deps, report));
      if (ownPort === null) return;
      const endpoint = await openMetricsEndpoint(
        ownPort,
        metricsRoutes(() => metrics.text(), token),
        log,
      );
      undo.push(() => endpoint.close());
      log.info({ host: ownPort.host, port: endpoint.port }, 'metrics are served on a separate port');
    },
    async close() {
      // In parallel, so that an unreachable collector delays the close once, not for metrics and then for traces.
      await Promise.all(
        undo
          .splice(0)
          .reverse()
          .map((step) => step()),
      );
    },
  };
}

/** Turns every step into a metric. Skips a kind without one, such as a function, which its route covers. */
function meter(metrics: Metrics): StepWatcher {
  return {
    async watch(step, work) {
      const beganMs = performance.now();
      try {
        const result = await work();
        note(metrics, step, step.outcome ?? 'ok', performance.now() - beganMs);
        return result;
      } catch (error) {
        note(metrics, step, step.outcome ?? 'failed', performance.now() - beganMs);
        throw error;
      }
    },
  };
}

function note(metrics: Metrics, { kind, name }: Step, outcome: string, ms: number): void {
  const s = ms / 1000;
  const [method = '', route = 'none'] = name.split(' ');
  if (kind === 'request') metrics.record('kat_http_request_seconds', s, { route, method, status: outcome });
  else if (kind === 'statement') metrics.record('kat_database_statement_seconds', s, { statement: name, outcome });
  else if (kind === 'transaction') metrics.record('kat_database_transaction_seconds', s, { outcome });
  else if (kind === 'forecast') metrics.record('kat_forecast_seconds', s, { model: name, outcome });
  else if (kind === 'lookup') metrics.count('kat_forecasts_asked_total', { model: name, outcome });
  else if (kind === 'refusal') metrics.count('kat_data_refused_total', { budget: name, share: outcome });
  else if (kind === 'foreign') metrics.count('kat_payment_ignored_total', { subject: name });
  else if (kind === 'feed') metrics.record('kat_feed_call_seconds', s, { host: name, outcome });
  else if (kind === 'payment') metrics.record('kat_payment_call_seconds', s, { call: name, outcome });
  else if (kind === 'job') metrics.record('kat_job_run_seconds', s, { job_name: name, outcome });
}
