/**
 * GET /forecast/latest over HTTP, with a small model's shared forecasts: what it serves once a minute, and what it
 * refuses.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { latestForecastSchema } from '#domain/forecast/latest-forecast.ts';
import type { Candle } from '#domain/market/candle.ts';
import { createApp } from '../../server/app.ts';
import type { Forecasts } from '../../server/forecast/forecast.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import type { ModelRunner } from '../../server/forecast/inference/model-runner.ts';
import { latestRoutes } from '../../server/forecast/latest-routes.ts';
import { generatedCandles } from '../../server/forecast/models/generated-candles.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import type { HistorySlice } from '../../server/market/candles/candle-history.ts';
import { listen } from '../../server/platform/http/listen.ts';
import { testLog } from '../support/database/database.ts';

const MINUTES = generatedCandles({ seed: 'latest', count: 470, firstOpen: 60_000, tickSize: 0.1 });
const PATH = '/forecast/latest?sym=BTCUSDT.P';

let folder: ModelsFolder;
let runner: ModelRunner;
let forecasts: Forecasts;
let server: Server;
let origin: string;
let shown: Candle[];
let reads: number;
let failure: Error | null;
let nowMs: number;

const nowOf = (candles: readonly Candle[]) => ((candles.at(-1)?.time ?? 0) + 60) * 1000;

beforeEach(async () => {
  shown = MINUTES.slice(0, 450);
  nowMs = nowOf(shown) + 12_400;
  reads = 0;
  failure = null;
  await serve('sound');
});

afterEach(stop);

async function serve(bobcat: 'sound' | null): Promise<void> {
  folder = makeModelsFolder(bobcat === null ? {} : { bobcat });
  runner = inProcessRunner();
  const registry = await openModelRegistry(folder.path, runner);
  const clock = { nowMs: () => nowMs };
  const history = {
    async latest(): Promise<HistorySlice> {
      reads++;
      if (failure !== null) throw failure;
      const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
      const asOfS = shown.at(-1)?.time ?? null;
      return { candles: shown, ...from, asOfS, isStale: false, isOpen: true, nowMs: nowOf(shown) };
    },
    close: async () => undefined,
  };
  forecasts = openForecasts({ history, registry, clock, log: testLog });
  const routes = [latestRoutes({ forecasts, clock })];
  const app = createApp({ log: testLog, isHttps: false, siteDir: tmpdir(), isOwnHost: () => true, routes });
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(): Promise<void> {
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  await runner.close();
  folder.remove();
}

const read = async (path = PATH) => latestForecastSchema.parse(await (await fetch(origin + path)).json());

test('returns 150 closed candles, one path of 50 and its bands to a visitor', async () => {
  const latest = await read();

  expect(latest).toMatchObject({ sym: 'BTCUSDT.P', label: 'BTC', model: 'bobcat', marketKind: 'simulated' });
  expect(latest.history.map(({ close }) => close)).toEqual(MINUTES.slice(300, 450).map(({ close }) => close));
  expect(latest.path.map(({ time }) => time)).toEqual(Array.from({ length: 50 }, (_, i) => latest.t0 + 60 * (i + 1)));
  expect(latest.path[0]?.open).toBe(latest.lastClose);
  expect(latest.band.upper95).toHaveLength(50);
  expect(latest.issuedAtMs).toBe(nowMs);
});

test('returns a new forecast and ETag after the next candle, for one more computation', async () => {
  const first = await fetch(origin + PATH);
  shown = MINUTES.slice(1, 451);
  nowMs += 60_000;

  const second = await fetch(origin + PATH);

  const [before, after] = [await first.json(), await second.json()].map((body) => latestForecastSchema.parse(body));
  expect(after?.t0).toBe((before?.t0 ?? 0) + 60);
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect(forecasts.computations).toBe(2);
});

test.each([
  ['12.4 s after the candle closed', 12_400, 47],
  ['as it closed', 0, 60],
  ['when the next is due', 60_000, 1],
  ['long after, with a venue that is late', 600_000, 1],
  ['before it closed, with a venue that is ahead', -30_000, 60],
])('allows caching until the minute ends: %s', async (_when, afterMs, seconds) => {
  nowMs = nowOf(shown) + afterMs;

  const response = await fetch(origin + PATH);

  expect(response.headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
});

test('returns 304 for a matching ETag, and gzip to clients that accept it', async () => {
  const tag = (await fetch(origin + PATH)).headers.get('etag') ?? '';

  const again = await fetch(origin + PATH, { headers: { 'if-none-match': tag } });
  const plain = await fetch(origin + PATH, { headers: { 'accept-encoding': 'identity' } });
  const packed = await fetch(origin + PATH, { headers: { 'accept-encoding': 'gzip' } });

  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('cache-control')).toBe('public, max-age=47');
  expect([plain, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'gzip']);
  expect(await packed.text()).toBe(await plain.text());
});

test.each([
  ['', 400, 'request/invalid', 'sym', 'missing'],
  ['?sym=', 400, 'request/invalid', 'sym', 'missing'],
  ['?sym=BTCUSDT.P&sym=BTCUSDT.P', 400, 'request/invalid', 'sym', 'repeated'],
  ['?sym=BTCUSDT.P&ver=214', 400, 'request/invalid', 'query', 'unknown'],
  ['?sym=btcusdt.p', 400, 'market/unknown-symbol', 'sym', undefined],
  ['?sym=__proto__', 400, 'market/unknown-symbol', 'sym', undefined],
  ['?sym=BTCUSDT.P%0d%0aset-cookie:%20a=b', 400, 'market/unknown-symbol', 'sym', undefined],
  ['?sym=ETHUSDT.P', 403, 'auth/forbidden', 'sym', undefined],
  ['?sym=MSFT', 403, 'auth/forbidden', 'sym', undefined],
])('refuses %s before computing anything', async (query, status, code, parameter, problem) => {
  const response = await fetch(`${origin}/forecast/latest${query}`);

  expect(response.status).toBe(status);
  const body = (await response.json()) as { details: Record<string, unknown> };
  expect(body).toMatchObject({ code, details: { parameter } });
  expect(body.details.problem).toBe(problem);
  expect(JSON.stringify(body).length).toBeLessThan(400);
  expect([reads, forecasts.computations]).toEqual([0, 0]);
});

test('refuses a symbol of 5,000 letters without echoing it', async () => {
  const response = await fetch(`${origin}/forecast/latest?sym=${'A'.repeat(5000)}`);

  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text).toContain('market/unknown-symbol');
  expect(text).not.toContain('AAAA');
});

test("explains why another symbol's forecast is not public", async () => {
  const response = await fetch(`${origin}/forecast/latest?sym=ETHUSDT.P`);

  const { details } = (await response.json()) as { details: { reason: string } };
  expect(details.reason).toBe('Only the forecast of BTCUSDT.P is public. Forecasts of other symbols need a plan.');
});

test.each([
  ['venue/unavailable', 503],
  ['market/closed', 409],
  ['market/too-few-candles', 409],
] as const)('returns %s, uncached, when the market has no usable candles', async (code, status) => {
  failure = new AppError(code);

  const response = await fetch(origin + PATH);

  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  expect(response.headers.get('cache-control') ?? '').not.toContain('public');
  failure = null;
  expect((await fetch(origin + PATH)).status).toBe(200);
});

test('returns 503 without a trained model', async () => {
  await stop();
  await serve(null);

  const response = await fetch(origin + PATH);

  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'forecast/not-trained' });
});

test('refuses POST with 405 and answers HEAD without a body', async () => {
  const posted = await fetch(origin + PATH, { method: 'POST' });
  const head = await fetch(origin + PATH, { method: 'HEAD' });

  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect([head.status, await head.text()]).toEqual([200, '']);
});
