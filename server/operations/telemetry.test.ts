import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../platform/config/config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { isWatched, step } from '../platform/telemetry/steps.ts';
import { openTelemetry, type Telemetry } from './telemetry.ts';

const METRICS_TOKEN = 'wq7Zr-Kp2mX-8vTd4-Lh6sB';
const log = createLogger('silent');
const undo: Telemetry[] = [];
afterEach(async () => {
  for (const one of undo.splice(0)) await one.close();
});

async function open(env: Readonly<Record<string, string>>): Promise<Telemetry> {
  const telemetry = await openTelemetry({ settings: readConfig(env).telemetry, version: '1', log });
  undo.push(telemetry);
  return telemetry;
}

test('measures nothing and serves no address without a setting', async () => {
  const telemetry = await open({});

  expect([isWatched(), telemetry.routes]).toEqual([false, []]);
});

test('counts each kind of step with its outcome, until closed', async () => {
  const telemetry = await open({ METRICS_TOKEN });
  const failing = () => Promise.reject(new Error('broken'));
  await step({ kind: 'request', name: 'GET /x/:id', outcome: '2xx' }, async () => undefined);
  await step({ kind: 'statement', name: 'select' }, async () => undefined);
  await step({ kind: 'transaction', name: 'transaction' }, failing).catch(() => undefined);
  await step({ kind: 'forecast', name: 'lion' }, failing).catch(() => undefined);
  await step({ kind: 'lookup', name: 'lion' }, async () => undefined);
  await step({ kind: 'feed', name: 'venue.example' }, async () => undefined);
  await step({ kind: 'payment', name: 'POST customers', outcome: '4xx' }, async () => undefined);
  await step({ kind: 'job', name: 'news' }, async () => undefined);
  await step({ kind: 'function', name: 'get-quota' }, async () => undefined);

  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await telemetry.routes[0]?.request('/metrics', { headers }))?.text();
  const counts = (text ?? '').split('\n').filter((line) => /^\w+(_count|_total)\{/.test(line));

  expect(counts.toSorted()).toEqual([
    'kat_database_statement_seconds_count{statement="select",outcome="ok"} 1',
    'kat_database_transaction_seconds_count{outcome="failed"} 1',
    'kat_feed_call_seconds_count{host="venue.example",outcome="ok"} 1',
    'kat_forecast_seconds_count{model="lion",outcome="failed"} 1',
    'kat_forecasts_asked_total{model="lion",outcome="ok"} 1',
    'kat_http_request_seconds_count{route="/x/:id",method="GET",status="2xx"} 1',
    'kat_job_run_seconds_count{job_name="news",outcome="ok"} 1',
    'kat_payment_call_seconds_count{call="POST customers",outcome="4xx"} 1',
  ]);
  await telemetry.close();
  expect(isWatched()).toBe(false);
});

test('closes after one wait of 1.5 s even if the collector never answers', async () => {
  const requested: string[] = [];
  const collector = createServer((request) => void requested.push(request.url ?? '')).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as AddressInfo;
  const telemetry = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  await step({ kind: 'request', name: 'GET /x', outcome: '2xx' }, async () => undefined);
  // Counted, because a busy machine may stop this process meanwhile.
  let tenths = 0;
  const count = setInterval(() => {
    tenths += 1;
  }, 100);

  await telemetry.close();

  clearInterval(count);
  // Less than two waits, one after the other.
  expect(tenths).toBeLessThan(28);
  expect(requested.toSorted()).toEqual(['/v1/metrics', '/v1/traces']);
  collector.closeAllConnections();
  collector.close();
});
