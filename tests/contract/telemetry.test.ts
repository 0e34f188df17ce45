/**
 * What a whole site reports to machines: figures only with the token, traces to a collector, and no personal data in
 * either.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { METRICS } from '../../server/operations/metric-definitions.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { SHIPPED_MODELS, startWholeServer, type WholeServer } from '../support/servers/whole-server.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/wire/telemetry-collector.ts';

const TOKEN = 'wq7Zr-Kp2mX-8vTd4-Lh6sB';
const COLLECTOR_KEY = 'Bearer c0llector-0nly';
const MARK = 'MARKED5e7c0ffee';
const EMAIL = `${MARK}@example.com`;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PROXY_SPAN = 'b7ad6b7169203331';
/** Reported only by sites that have them: news feeds, feeds with an allowance, house forecasts. */
const SOMETIMES = new Set([
  'kat_data_refused_total',
  'kat_payment_ignored_total',
  'kat_news_feed_failures',
  'kat_feed_calls_of_month',
  'kat_record_newest_age_seconds',
]);

const lineSchema = z.looseObject({
  msg: z.string(),
  path: z.optional(z.string()),
  port: z.optional(z.number()),
  requestId: z.optional(z.string()),
  traceId: z.optional(z.string()),
});

let collector: Collector;
let server: WholeServer;
let text = '';
let refused: number[] = [];
let own: number[] = [];
/** Texts that no figure or span may contain. */
const secrets: string[] = [TOKEN, MARK, EMAIL];
const lines: z.infer<typeof lineSchema>[] = [];
const raw: string[] = [];

const metrics = (token: string | null) =>
  fetch(`${server.url}/metrics`, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });

beforeAll(async () => {
  collector = await startCollector();
  const database = await openTestDatabase(dayDatabase);
  const log = createLogger('debug', {
    write(line) {
      raw.push(line);
      lines.push(lineSchema.parse(JSON.parse(line)));
    },
  });
  const env = {
    METRICS_TOKEN: TOKEN,
    METRICS_LISTEN: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(COLLECTOR_KEY)}`,
    OTEL_TRACES_SAMPLER_ARG: '1',
    TRUSTED_PROXIES: '1',
    // Behind a proxy the fake must be requested explicitly.
    PAYMENTS: 'sandbox',
    ALLOW_SANDBOX_IN_PRODUCTION: '1',
  };
  server = await startWholeServer(database, { env, log, modelsDir: SHIPPED_MODELS });
  const call = async (path: string, init: RequestInit = {}) => (await fetch(server.url + path, init)).text();

  const { supabaseAnonKey: apikey } = z
    .looseObject({ supabaseAnonKey: z.string() })
    .parse(JSON.parse(await call('/config.json')));
  const json = { apikey, 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' };
  const body = JSON.stringify({ email: EMAIL, password: `${MARK}Aa1` });
  const { access_token: token, user } = z
    .looseObject({ access_token: z.string(), user: z.looseObject({ id: z.string() }) })
    .parse(JSON.parse(await call('/auth/v1/signup', { method: 'POST', headers: json, body })));
  secrets.push(token, user.id, apikey);
  const signedIn = { ...json, authorization: `Bearer ${token}` };
  const traceparent = `00-${TRACE}-${PROXY_SPAN}-01`;
  await call('/functions/v1/get-quota', { method: 'POST', headers: { ...signedIn, traceparent }, body: '{}' });
  await call(`/rest/v1/profiles?select=id&id=eq.${user.id}`, { headers: signedIn });
  await call('/forecast/latest?sym=BTCUSDT.P');
  await call('/track-record');
  await call(`/no-such/${MARK}?token=${MARK}`);
  const ownPort = lines.find(({ msg }) => msg === 'metrics are served on a separate port')?.port;
  const byAddress = (token: string) =>
    fetch(`http://127.0.0.1:${ownPort}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  own = [(await byAddress('wrong')).status, (await byAddress(TOKEN)).status];
  refused = await Promise.all([null, 'wrong', `${TOKEN}x`].map(async (token) => (await metrics(token)).status));
  await vi.waitFor(
    async () => {
      text = await (await metrics(TOKEN)).text();
      // A job begins with it, and may become due only after a while.
      expect(text).toContain('kat_payment_call_seconds');
    },
    { interval: 500 },
  );
  await server.close();
  await database.close();
});
afterAll(() => collector.close());

test('reports every listed figure by name and labels, and no other', () => {
  const reported = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    if (name === '') continue;
    const base = name.replace(/_(?:bucket|sum|count)$/, '');
    const keys = [...labels.matchAll(/(\w+)="/g)].map(([, key = '']) => key).filter((key) => key !== 'le');
    reported.set(METRICS.some((one) => one.name === name) ? name : base, new Set(keys));
  }
  for (const [name, labels] of reported)
    expect([name, [...labels].sort()]).toEqual([
      name,
      [...(METRICS.find((one) => one.name === name)?.labels ?? ['?'])].sort(),
    ]);
  const missing = METRICS.map(({ name }) => name).filter((name) => !reported.has(name) && !SOMETIMES.has(name));
  expect(missing).toEqual([]);
});

test("refuses figures on the site's port without the token", () => {
  expect(refused).toEqual([401, 401, 401]);
});

test('serves figures on a separate port, which requires the token when one is set', () => {
  expect(own).toEqual([401, 200]);
});

test('names requests by patterns, without personal data in labels', () => {
  const reported = [
    ...text.matchAll(/kat_http_request_seconds_count\{route="([^"]*)",method="([^"]*)",status="([^"]*)"/g),
  ];
  const requests = reported.map(([, route, method, status]) => `${method} ${route} ${status}`);
  expect(requests).toEqual(
    expect.arrayContaining([
      'POST /auth/v1/signup 2xx',
      'POST /functions/v1/get-quota 2xx',
      'GET /rest/v1/:relation 2xx',
      'GET /track-record 2xx',
      'GET none 4xx',
    ]),
  );
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test("traces a request to its function and statements, within the trusted proxy's trace", () => {
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const pathOf = (span: CollectedSpan): string => {
    const above = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return above === undefined ? span.name : `${pathOf(above)} > ${span.name}`;
  };
  expect(spans.map(pathOf)).toContain('POST /functions/v1/get-quota > function get-quota > statement select');
  expect(spans.find(({ name }) => name === 'POST /functions/v1/get-quota')?.parentSpanId).toBe(PROXY_SPAN);
  const names = collector.spans.map(({ name }) => name);
  for (const name of ['lookup bobcat', 'forecast bobcat']) expect(names).toContain(name);
  expect(names.some((name) => name.startsWith('feed 127.0.0.1:'))).toBe(true);
  // Jobs that only poll for work make no traces.
  expect(collector.spans.filter(({ name, parentSpanId }) => name.startsWith('statement') && !parentSpanId)).toEqual([]);
});

test('sends the collector no secret, address, requested path or statement text', () => {
  expect(collector.spans.length).toBeGreaterThan(20);
  expect(collector.figures).toContain('kat_http_request_seconds');
  expect([...collector.authorizations]).toEqual([COLLECTOR_KEY]);
  const sent = collector.bodies.join('\n');
  for (const secret of secrets) expect(sent).not.toContain(secret);
  expect(sent).not.toMatch(/eyJ|198\.51\.100\.7|\$1|private\./);
});

test('logs the request id and trace id in every line of a request', () => {
  const ofRequests = lines.filter(({ msg, requestId }) => msg === 'request' || requestId !== undefined);
  expect(ofRequests.length).toBeGreaterThanOrEqual(7);
  for (const line of ofRequests)
    expect(line).toMatchObject({ requestId: expect.any(String), traceId: expect.any(String) });
  const quota = ofRequests.find(({ path }) => path === '/functions/v1/get-quota');
  expect(quota?.traceId).toBe(TRACE);
  for (const secret of [TOKEN, COLLECTOR_KEY.slice(7), EMAIL]) expect(raw.join('')).not.toContain(secret);
});
