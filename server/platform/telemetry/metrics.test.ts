import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createLogger } from './log.ts';
import { type MetricDefinition, openMetrics } from './metrics.ts';
import { metricsRoutes, openMetricsEndpoint } from './metrics-endpoint.ts';

const DEFINITIONS: readonly MetricDefinition[] = [
  { name: 'calls_total', help: 'Calls', kind: 'counter', unit: '1', labels: ['who'] },
  { name: 'call_seconds', help: 'A call', kind: 'histogram', unit: 's', labels: ['who'], buckets: [0.1, 1] },
  { name: 'waiting', help: 'Waiting', kind: 'gauge', unit: '1', labels: [] },
  { name: 'runs_total', help: 'Runs', kind: 'total', unit: '1', labels: [] },
];
const log = createLogger('silent');
const parts = { definitions: DEFINITIONS, service: { name: 'kat', version: '1', instanceId: 'one' }, log };
const open = () => openMetrics({ ...parts, collector: null });

test('exports counted and observed figures in one text under their listed names', async () => {
  const metrics = await open();
  metrics.count('calls_total', { who: 'a"b\n' });
  metrics.record('call_seconds', 0.5, { who: 'x' });
  metrics.observe(async (report) => {
    report('waiting', 3);
    report('runs_total', 7);
    report('unheard_of', 1);
  });

  const lines = (await metrics.text()).split('\n');

  expect(lines).toEqual(
    expect.arrayContaining([
      '# TYPE calls_total counter',
      String.raw`calls_total{who="a\"b\n"} 1`,
      '# TYPE call_seconds histogram',
      'call_seconds_bucket{who="x",le="0.1"} 0',
      'call_seconds_bucket{who="x",le="1"} 1',
      'call_seconds_count{who="x"} 1',
      'waiting 3',
      '# TYPE runs_total counter',
      'runs_total 7',
    ]),
  );
  expect(lines.join('')).not.toContain('unheard_of');
  await metrics.close();
});

test('limits the number of series of a metric, whatever its labels are', async () => {
  const metrics = await open();
  for (let n = 0; n < 5000; n += 1) metrics.count('calls_total', { who: String(n) });

  const series = (await metrics.text()).split('\n').filter((line) => line.startsWith('calls_total{'));

  expect(series.length).toBeLessThanOrEqual(1500);
  expect(series.find((line) => line.includes('overflow'))).toMatch(/ 3501$/);
  await metrics.close();
});

test('answers only /metrics on its own port, and closes it immediately', async () => {
  const routes = metricsRoutes(async () => 'waiting 3\n', null);
  const endpoint = await openMetricsEndpoint({ host: '127.0.0.1', port: 0 }, routes, log);
  const request = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${endpoint.port}${path}`, { method });

  const answer = await request('/metrics');
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'waiting 3\n',
  ]);
  expect([(await request('/')).status, (await request('/metrics', 'POST')).status]).toEqual([404, 405]);

  await endpoint.close();
  await expect(request('/metrics')).rejects.toThrow();
});

test('refuses a missing, wrong or partial token on a shared port', async () => {
  const routes = metricsRoutes(async () => 'waiting 3\n', 'right-token');
  const request = (authorization: string) => routes.request('/metrics', { headers: { authorization } });

  for (const wrong of ['', 'Bearer', 'Bearer right', 'Bearer right-token2', 'Basic right-token', 'right-token']) {
    const answer = await request(wrong);
    expect([wrong, answer.status, (await answer.text()).includes('waiting')]).toEqual([wrong, 401, false]);
  }
  expect((await request('Bearer right-token')).status).toBe(200);
});

test('logs a refusing collector, and continues', async () => {
  const lines: string[] = [];
  const refusing = createServer((_, response) => void response.writeHead(400).end()).listen(0, '127.0.0.1');
  await once(refusing, 'listening');
  const { port } = refusing.address() as AddressInfo;
  const collector = {
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: 'Bearer secret' },
    intervalMs: 60_000,
  };
  const logger = createLogger('warn', { write: (line) => void lines.push(line) });
  const metrics = await openMetrics({ ...parts, log: logger, collector });
  metrics.count('calls_total', { who: 'x' });

  // Closing pushes once more.
  await metrics.close().catch(() => undefined);

  await vi.waitFor(() => expect(lines.join('')).toContain('metrics or traces could not be sent'));
  expect(lines.join('')).not.toContain('secret');
  refusing.close();
});
