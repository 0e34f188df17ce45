/**
 * The cost of telemetry per request: bare (not in the code), off (as shipped), with metrics, with metrics and one trace
 * in ten, with every trace. Two requests: one answered from memory, and one with a statement and its function. It
 * counts processor time of the answering thread, without sockets, which would only hide it; modes take turns.
 * `npm run bench -- telemetry`, with the setting ROUNDS (15). Prints one JSON table.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { openTelemetry } from '../../server/operations/telemetry.ts';
import { readConfig } from '../../server/platform/config/config.ts';
import { type Database, OWNER } from '../../server/platform/database/database.ts';
import { databaseSteps } from '../../server/platform/database/database-steps.ts';
import { requestLog } from '../../server/platform/http/request-log.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { requestSteps } from '../../server/platform/telemetry/request-steps.ts';
import { step } from '../../server/platform/telemetry/steps.ts';
import { openTestPglite } from '../../tests/support/database/database.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
const REQUESTS = 400;
const WARM_UP = 100;
const MODES = ['bare', 'off', 'figures', 'tenth', 'all'] as const;
type Mode = (typeof MODES)[number];

const collector = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const { port } = collector.address() as AddressInfo;
const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
const SETTINGS: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  bare: {},
  off: {},
  figures: { METRICS_LISTEN: '0' },
  tenth: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '0.1' },
  all: { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER_ARG: '1' },
};

const raw = await openTestPglite();
// Lines are formatted and discarded: writing them costs the terminal, not the server.
const log = createLogger('info', { write: () => undefined });

function appOf(mode: Mode): Hono {
  const database: Database = mode === 'bare' ? raw : databaseSteps(raw);
  const query = () => database.query(OWNER, 'select 1 as one');
  const app = new Hono();
  if (mode !== 'bare') app.use('*', requestSteps({ pageOf: () => null, hasTrustedProxies: false }));
  app.use('*', requestLog(log));
  app.get('/memory', (c) => c.json({ ok: true }));
  app.get('/statement', async (c) =>
    c.json({ rows: await (mode === 'bare' ? query() : step({ kind: 'function', name: 'ask' }, query)) }),
  );
  return app;
}

/** Microseconds of the main thread for each request. */
async function round(mode: Mode, path: string): Promise<number> {
  const telemetry = await openTelemetry({ settings: readConfig(SETTINGS[mode]).telemetry, version: '0', log });
  const app = appOf(mode);
  for (let n = 0; n < WARM_UP; n += 1) await app.request(path);
  const before = process.threadCpuUsage();
  for (let n = 0; n < REQUESTS; n += 1) await app.request(path);
  const { user, system } = process.threadCpuUsage(before);
  await telemetry.close();
  return (user + system) / REQUESTS;
}

const table: unknown[] = [];
for (const path of ['/memory', '/statement']) {
  const costs = new Map<Mode, number[]>(MODES.map((mode) => [mode, []]));
  for (let n = 0; n < ROUNDS; n += 1) for (const mode of MODES) costs.get(mode)?.push(await round(mode, path));
  const bare = median(costs.get('bare') ?? []);
  for (const [mode, rounds] of costs) {
    const cost = median(rounds);
    const share = Number((bare / cost).toFixed(2));
    table.push({ path, mode, microseconds: Number(cost.toFixed(1)), perS: Math.round(1e6 / cost), ofBare: share });
  }
}
console.log(JSON.stringify(table, null, 2));
await raw.close();
collector.close();

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
