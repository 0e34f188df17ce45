/**
 * GET /models.json over HTTP, from model folders on disk: what it reports of each state, and what it never reports.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type GroupFigures, modelsAnswerSchema } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { generatedGroup } from '#domain/forecast/testing/figure-fixtures.ts';
import { createApp } from '../../server/app.ts';
import type { LossListener, ModelRunner } from '../../server/forecast/inference/model-runner.ts';
import { modelRoutes } from '../../server/forecast/model-routes.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { listen } from '../../server/platform/http/listen.ts';
import { testLog } from '../support/database/database.ts';

const FIGURES: GroupFigures[] = [generatedGroup('crypto-test'), generatedGroup('gold-test', { blocks: 8 })];

let folder: ModelsFolder;
let runner: ModelRunner;
let registry: ModelRegistry;
let lose: LossListener;
let server: Server;
let url: string;

/** Bobcat is ready, Panther's network was altered, Lion is not trained. */
beforeEach(async () => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
  folder.edit('bobcat', 'manifest.json', (text) => JSON.stringify({ ...JSON.parse(text), figures: FIGURES }));
  folder.edit('panther', 'paths.json', (text) => text.replace('0.85', '0.86'));
  runner = inProcessRunner();
  registry = await openModelRegistry(folder.path, {
    ...runner,
    onLost: (listener) => {
      lose = listener;
    },
  });
  const routes = [modelRoutes({ registry })];
  const app = createApp({ log: testLog, isHttps: false, siteDir: tmpdir(), isOwnHost: () => true, routes });
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/models.json`;
});

afterEach(async () => {
  await new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  });
  await runner.close();
  folder.remove();
});

test('returns every model in order, with figures only for the ready one', async () => {
  const response = await fetch(url);

  const { models } = modelsAnswerSchema.parse(await response.json());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(models.map(({ model, state }) => [model, state])).toEqual([
    ['bobcat', 'ready'],
    ['panther', 'disabled'],
    ['lion', 'not-trained'],
  ]);
  const figuresOf = (name: string) => models.find(({ model }) => model === name)?.figures;
  expect(figuresOf('bobcat')?.groups).toEqual(FIGURES);
  expect(figuresOf('bobcat')?.modelVersion).toBe(registry.ready('bobcat').modelVersion);
  expect([figuresOf('panther'), figuresOf('lion')]).toEqual([null, null]);
});

test('exposes no reason, path, file name or checksum', async () => {
  const text = await (await fetch(url)).text();

  const { states } = registry;
  const reason = states.panther.state === 'disabled' ? states.panther.reason : '';
  expect(reason).toContain('checksum');
  for (const secret of [reason, folder.path, 'checksum', 'sha256', '.onnx', '.json', '.csv', 'training', 'reason'])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[0-9a-f]{64}/);
});

test('allows caching for 300 s and answers a matching ETag with 304', async () => {
  const first = await fetch(url);
  const tag = first.headers.get('etag') ?? '';

  const again = await fetch(url, { headers: { 'if-none-match': `"other", ${tag}` } });
  const other = await fetch(url, { headers: { 'if-none-match': '"other"' } });

  expect(first.headers.get('cache-control')).toBe('public, max-age=300');
  expect([again.status, await again.text()]).toEqual([304, '']);
  expect(again.headers.get('etag')).toBe(tag);
  expect(other.status).toBe(200);
});

test.each([
  ['gzip, br', 'gzip'],
  ['identity', null],
  ['gzip;q=0', null],
])('answers Accept-Encoding %s with %s and the same figures', async (accepted, encoding) => {
  const response = await fetch(url, { headers: { 'accept-encoding': accepted } });

  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.get('vary')).toContain('accept-encoding');
  expect(modelsAnswerSchema.parse(await response.json()).models).toHaveLength(MODEL_NAMES.length);
});

test('removes the figures of a model disabled at run time immediately, and changes the ETag', async () => {
  const before = (await fetch(url)).headers.get('etag');

  lose('bobcat', `a fault in ${folder.path}`);
  const after = await fetch(url);

  const text = await after.text();
  expect(after.headers.get('etag')).not.toBe(before);
  expect(JSON.parse(text)).toMatchObject({ models: [{ model: 'bobcat', state: 'disabled', figures: null }, {}, {}] });
  expect(text).not.toContain(folder.path);
});

test('refuses POST with 405 as JSON and answers HEAD without a body', async () => {
  const posted = await fetch(url, { method: 'POST' });
  const head = await fetch(url, { method: 'HEAD' });

  expect(posted.status).toBe(405);
  expect(posted.headers.get('allow')).toBe('GET, HEAD');
  expect(await posted.json()).toMatchObject({ code: 'request/method-not-allowed' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('returns the models of longer candles on request, which opens them, and one minute as before without', async () => {
  makeModelsFolder({ lion: 'sound' }, { path: join(folder.path, '5min'), timeframe: '5min' });
  const plain = await (await fetch(url)).text();

  const { models } = modelsAnswerSchema.parse(await (await fetch(`${url}?tf=5min`)).json());

  expect(models.map(({ model, state }) => [model, state])).toEqual([
    ['bobcat', 'not-trained'],
    ['panther', 'not-trained'],
    ['lion', 'ready'],
  ]);
  expect(models[2]?.figures?.modelVersion).toBe((await registry.open('lion', '5min')).modelVersion);
  const none = modelsAnswerSchema.parse(await (await fetch(`${url}?tf=15min`)).json());
  expect(none.models.every(({ state, figures }) => state === 'not-trained' && figures === null)).toBe(true);
  expect(await (await fetch(`${url}?tf=1min`)).text()).toBe(plain);
  expect(await (await fetch(url)).text()).toBe(plain);
  expect((await fetch(`${url}?tf=1h`)).status).toBe(400);
});
