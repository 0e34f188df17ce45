/** GET /chances and GET /chances/live over HTTP, on a small model's shared forecasts: answers, refusals, access, sharing. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import {
  type ChanceAnswer,
  chanceAnswerSchema,
  chanceQuery,
  type LiveChances,
  lineAnswerSchema,
  liveChancesSchema,
  type PosedChance,
} from '#domain/chances/chance-messages.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { createApp } from '../../server/app.ts';
import { chanceRoutes } from '../../server/forecast/chances/chance-routes.ts';
import { openChances } from '../../server/forecast/chances/chances.ts';
import { type LiveChanceRooms, openLiveChances } from '../../server/forecast/chances/live-chances.ts';
import { pathTablesReader } from '../../server/forecast/chances/path-tables.ts';
import type { Forecasts } from '../../server/forecast/forecast.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import type { ModelRunner } from '../../server/forecast/inference/model-runner.ts';
import { generatedCandles } from '../../server/forecast/models/generated-candles.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { inProcessRunner } from '../../server/forecast/models/opened-model.ts';
import type { QuestionPermission } from '../../server/forecast/predictions/prediction-store.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import type { HistorySlice } from '../../server/market/candles/candle-history.ts';
import { ONLY_SPECIFIED } from '../../server/market/catalogue/symbol-lookup.ts';
import type { ServedUpdate } from '../../server/market/venues/venue.ts';
import type { Caller } from '../../server/platform/http/calls/caller.ts';
import { limiterOfProcess } from '../../server/platform/http/guards/rate-limit.ts';
import { listen } from '../../server/platform/http/listen.ts';
import { testLog } from '../support/database/database.ts';

/** Its last minute ends at a whole hour, so that all three windows begin with the open minute. */
const MINUTES = generatedCandles({ seed: 'chances', count: 460, firstOpen: 60_000, tickSize: 0.1 });
const BTC = { symbol: 'BTCUSDT.P', model: 'bobcat', timeframe: '1min' } as const;
const ETH = { ...BTC, symbol: 'ETHUSDT.P' } as const;

let folder: ModelsFolder;
let runner: ModelRunner;
let forecasts: Forecasts;
let live: LiveChanceRooms;
let server: Server;
let origin: string;
let shown: readonly Candle[];
let secondsAfter: number;
/** How far the process's clock is ahead. */
let aheadMs: number;
let failure: Error | null;
let isOpen: boolean;
let end: AppError | null;
let permission: QuestionPermission;
let hasEnded: boolean;
let permissions: { userId: string; sym: string }[];
let emit: (update: ServedUpdate) => void;
let undo: (() => Promise<void> | void)[];

const lastOf = (candles: readonly Candle[]): Candle =>
  candles.at(-1) ?? { time: 0, open: 1, high: 1, low: 1, close: 1 };

beforeEach(async () => {
  shown = MINUTES.slice(0, 450);
  secondsAfter = 12;
  aheadMs = 0;
  failure = null;
  isOpen = true;
  end = null;
  permission = { kind: 'allowed' };
  permissions = [];
  hasEnded = false;
  undo = [];
  await serve();
});

afterEach(async () => {
  for (const work of undo.reverse()) await work();
});

async function serve({ questions = 1000, mostStreams = 50, lastsMs = 600_000, checkMs = 600_000 } = {}): Promise<void> {
  folder = makeModelsFolder({ bobcat: 'sound' });
  runner = inProcessRunner();
  const registry = await openModelRegistry(folder.path, runner);
  const clock = { nowMs: () => (lastOf(shown).time + 60 + secondsAfter) * 1000 };
  const history = {
    async latest(_: MarketSymbol, count: number): Promise<HistorySlice> {
      if (failure !== null) throw failure;
      const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
      const candles = shown.slice(-count);
      return { candles, ...from, asOfS: lastOf(shown).time, isStale: false, isOpen, nowMs: clock.nowMs() };
    },
    watch(listener: (update: ServedUpdate) => void) {
      emit = listener;
      return () => undefined;
    },
    close: async () => undefined,
  };
  forecasts = openForecasts({ history, registry, clock, log: testLog });
  const symbols = { ...ONLY_SPECIFIED, endOf: () => end };
  const predictions = {
    async questionPermissions(keys: readonly { userId: string; sym: string }[]) {
      permissions.push(...keys.map(({ userId, sym }) => ({ userId, sym })));
      return keys.map(() => permission);
    },
  };
  const tablesOf = pathTablesReader({ modelsDir: folder.path, registry, log: testLog });
  const parts = { forecasts, tablesOf, history, symbols, predictions, limiterOf: limiterOfProcess };
  const chances = openChances({ ...parts, similarOf: () => null, monotonicMs: () => performance.now() + aheadMs });
  live = openLiveChances({ chances, log: testLog, everyMs: 5 });
  const routes = [
    chanceRoutes({
      chances,
      live,
      limiterOf: limiterOfProcess,
      addressOf: () => 'one address',
      callers: { read: async (request) => callerOf(request), requireUser: async (request) => userOf(request) },
      questions: { points: questions, perS: 60 },
      mostStreams,
      lastsMs,
      checkMs,
    }),
  ];
  const app = createApp({ log: testLog, isHttps: false, siteDir: tmpdir(), isOwnHost: () => true, routes });
  server = await listen(app.fetch, { host: '127.0.0.1', port: 0 }, testLog);
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  undo.push(
    () => folder.remove(),
    () => runner.close(),
    () => chances.close(),
    () => live.close(),
    () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
}

function callerOf(request: Request): Caller {
  const name = request.headers.get('authorization')?.replace('Bearer ', '') ?? null;
  return { role: name === null ? 'anon' : 'authenticated', claims: null, userId: name, sessionId: name };
}

function userOf(request: Request) {
  const caller = callerOf(request);
  const { userId, sessionId } = caller;
  if (userId === null || sessionId === null || hasEnded) throw new AppError('auth/not-signed-in');
  return { ...caller, userId, sessionId };
}

const LION = { headers: { authorization: 'Bearer lion' } };

async function request(query: string, init: RequestInit = {}) {
  const answer = await fetch(`${origin}/chances?${query}`, init);
  return { status: answer.status, body: await answer.json() };
}

async function answered(posed: PosedChance, market: Parameters<typeof chanceQuery>[0] = BTC): Promise<ChanceAnswer> {
  const { status, body } = await request(chanceQuery(market, posed), LION);
  expect(status, JSON.stringify(body)).toBe(200);
  return chanceAnswerSchema.parse(body);
}

const refusalSchema = z.object({ error: z.string(), code: z.string() });

async function codeOf(query: string, init: RequestInit = {}): Promise<[number, string]> {
  const { status, body } = await request(query, init);
  const { error, code } = refusalSchema.parse(body);
  expect(error).toMatch(/^[A-Z].+[a-z.]$/);
  return [status, code];
}

test('answers a visitor about Bitcoin, with the baseline beside the chance', async () => {
  const { close } = lastOf(shown);
  const above = await answered({ kind: 'above', price: close * 1.001, bar: 20 });

  expect(above).toMatchObject({ ...BTC, price: close, by: 'quantiles', similar: null, missingMinutes: 0 });
  expect(above.chance).toBeGreaterThan(0.01);
  expect(above.chance).toBeLessThan(0.5);
  expect(above.baseline).toBeLessThan(0.5);
  expect(Date.parse(above.asOf)).toBeGreaterThanOrEqual((lastOf(shown).time + 72) * 1000);
  expect((await request(chanceQuery(BTC, { kind: 'above', price: close, bar: 5 }))).status).toBe(200);
  expect(permissions).toEqual([]);
});

test('answers each kind: below, touch, outside, first with neither, window, and a line at every bar', async () => {
  const { close } = lastOf(shown);
  const [up, down] = [close * 1.002, close * 0.998];
  const [below, outside] = [
    await answered({ kind: 'below', price: up, bar: 30 }),
    await answered({ kind: 'outside', lower: down, upper: up, bar: 30 }),
  ];
  const touch = await answered({ kind: 'touch', price: up, bar: 30 });
  const first = await answered({ kind: 'first', target: up, stop: down, bar: 30 });
  const window = await answered({ kind: 'window', minutes: 15 });
  const { body } = await request(chanceQuery(BTC, { kind: 'line', price: up }));
  const line = lineAnswerSchema.parse(body);

  expect(touch.by).toBe('paths');
  expect(touch.chance).toBeGreaterThan(1 - below.chance);
  expect(outside.chance).toBeGreaterThan(1 - below.chance);
  expect(first.chance + (first.neither ?? 0)).toBeLessThan(1);
  expect(window.question).toMatchObject({ kind: 'window', minutes: 15, open: expect.any(Number) });
  expect(line.above[29]).toBeCloseTo(1 - below.chance, 3);
  expect(line.touch[29]).toBeCloseTo(touch.chance, 2);
});

test('gives the same answer to the same question within a second, from one forecast', async () => {
  const question = chanceQuery(BTC, { kind: 'touch', price: lastOf(shown).close * 1.001, bar: 10 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(question)));
  const bySecond = new Map(answers.map(({ body }) => [String(body.asOf).slice(0, 19), body.chance]));

  for (const { body } of answers) {
    expect(body.chance).toBeCloseTo(bySecond.get(String(body.asOf).slice(0, 19)), 3);
  }
  expect(forecasts.computations).toBe(1);
});

test('uses the price of the open minute, and counts minutes of a window without a candle', async () => {
  await answered({ kind: 'window', minutes: 60 });
  const { time, close } = lastOf(shown);
  const openS = time + 60;
  emit({
    symbol: ONLY_SPECIFIED.knownSymbol(BTC.symbol) as MarketSymbol,
    candle: { time: openS, open: close, high: close + 9, low: close, close: close + 9 },
    isClosed: false,
    venueId: 'binance',
  });

  expect((await answered({ kind: 'above', price: close, bar: 3 })).price).toBe(close + 9);

  const minutesOver = Math.floor((openS % 3600) / 60);
  shown = shown.filter((candle) => candle.time !== openS - 120);
  await serve();
  const window = await answered({ kind: 'window', minutes: 60 });
  expect(window.missingMinutes).toBe(minutesOver >= 2 ? 1 : 0);
});

test.each<[string, number, string]>([
  ['kind=above&price=0&bar=5', 400, 'price-invalid'],
  ['kind=above&price=-1&bar=5', 400, 'price-invalid'],
  ['kind=above&price=Infinity&bar=5', 400, 'price-invalid'],
  ['kind=above&price=1e400&bar=5', 400, 'price-invalid'],
  ['kind=above&price=abc&bar=5', 400, 'price-invalid'],
  ['kind=above&price=1e12&bar=5', 400, 'price-too-far'],
  ['kind=line&price=0', 400, 'price-invalid'],
  ['kind=touch&price=60000&bar=51', 400, 'bar-outside'],
  ['kind=touch&price=60000&bar=0', 400, 'bar-outside'],
  ['kind=outside&lower=1e-9&upper=1&bar=5', 400, 'price-too-far'],
  ['kind=outside&lower=60001&upper=60000&bar=5', 400, 'band-order'],
  ['kind=first&target=1e5&stop=1.1e5&bar=5', 400, 'same-side'],
  ['kind=window&minutes=7', 400, 'window-unknown'],
  ['kind=above&bar=5', 400, 'request/invalid'],
  ['kind=above&price=1&price=2&bar=5', 400, 'request/invalid'],
  ['kind=above&price=60000&bar=5&token=1', 400, 'request/invalid'],
  ['kind=odd', 400, 'request/invalid'],
  ['', 400, 'request/invalid'],
])('refuses with a message: %s', async (question, status, code) => {
  expect(await codeOf(`${chanceQuery(BTC)}&${question}`)).toEqual([status, code]);
});

test('refuses an unknown market, model or length of candles', async () => {
  const question = { kind: 'above', price: 60_000, bar: 5 } as const;
  const of = (own: object) => chanceQuery({ ...BTC, ...own } as typeof BTC, question);

  expect(await codeOf(of({ symbol: 'NONE' }))).toEqual([400, 'market/unknown-symbol']);
  expect(await codeOf(of({ symbol: 'no such' }))).toEqual([400, 'market/unknown-symbol']);
  expect(await codeOf(of({ model: 'tiger' }))).toEqual([400, 'request/invalid']);
  expect(await codeOf(of({ timeframe: '2min' }))).toEqual([400, 'request/invalid']);
});

test('refuses with a message while the market is halted, closed or without fresh prices', async () => {
  const question = chanceQuery(BTC, { kind: 'above', price: lastOf(shown).close, bar: 5 });
  end = new AppError('market/halted');
  expect(await codeOf(question)).toEqual([409, 'market-halted']);

  end = null;
  isOpen = false;
  await serve();
  expect(await codeOf(question)).toEqual([409, 'market/closed']);

  isOpen = true;
  failure = new AppError('venue/unavailable');
  await serve();
  expect(await codeOf(question)).toEqual([503, 'venue/unavailable']);

  failure = null;
  secondsAfter = 75;
  await serve();
  expect(await codeOf(question)).toEqual([409, 'price-stale']);
});

test('refuses a window that ends this second', async () => {
  const openS = lastOf(shown).time + 60;
  shown = MINUTES.filter(({ time }) => time < openS - (openS % 300) + 240);
  secondsAfter = 59.5;
  await serve();
  const { price } = { price: lastOf(shown).close };
  emit({
    symbol: ONLY_SPECIFIED.knownSymbol(BTC.symbol) as MarketSymbol,
    candle: { time: lastOf(shown).time + 60, open: price, high: price, low: price, close: price },
    isClosed: false,
    venueId: 'binance',
  });

  expect(await codeOf(chanceQuery(BTC, { kind: 'window', minutes: 5 }))).toEqual([409, 'window-over']);
});

test('requires a sign-in for another market or model, and lets the plan decide', async () => {
  const question = chanceQuery(ETH, { kind: 'above', price: lastOf(shown).close, bar: 5 });
  const ofLion = chanceQuery({ ...BTC, model: 'lion' }, { kind: 'above', price: lastOf(shown).close, bar: 5 });
  expect(await codeOf(question)).toEqual([401, 'auth/not-signed-in']);
  expect(await codeOf(ofLion)).toEqual([401, 'auth/not-signed-in']);

  expect((await request(question, LION)).status).toBe(200);
  expect((await request(question, LION)).status).toBe(200);
  expect(permissions).toEqual([expect.objectContaining({ userId: 'lion', sym: 'ETHUSDT.P' })]);
});

test.each(['forecast/model-locked', 'quota/daily-spent', 'quota/monthly-spent'] as const)(
  'refuses another market as its forecast would be: %s',
  async (code) => {
    permission = { kind: 'refused', code, heldT0: null };
    expect(await codeOf(chanceQuery(ETH, { kind: 'line', price: 60_000 }), LION)).toEqual([403, code]);
    const stream = await fetch(`${origin}/chances/live?${chanceQuery(ETH)}`, LION);
    expect([stream.status, (await stream.json()).code]).toEqual([403, code]);
    expect(forecasts.computations).toBe(0);
  },
);

test('ends an open stream of another market in time, and opens none after the plan has ended', async () => {
  await serve({ lastsMs: 100 });
  const open = () => fetch(`${origin}/chances/live?${chanceQuery(ETH)}`, LION);
  const stream = await open();
  expect(stream.status).toBe(200);
  permission = { kind: 'refused', code: 'forecast/model-locked', heldT0: null };
  aheadMs += 10_000;

  // Ends without an error: all that was sent is read. On a busy machine it may end before the first chances.
  expect(await stream.text()).toMatch(/^(?:event: chances\ndata: |$)/);
  expect((await open()).status).toBe(403);
  const free = await watch();
  expect(await free.frame()).toMatchObject({ windows: { length: 3 } });
  await free.leave();
});

test('ends an open stream of another market once the plan has ended', async () => {
  await serve({ checkMs: 20 });
  const stream = await fetch(`${origin}/chances/live?${chanceQuery(ETH)}`, LION);
  expect(stream.status).toBe(200);
  permission = { kind: 'refused', code: 'forecast/model-locked', heldT0: null };
  aheadMs += 10_000;

  expect(await stream.text()).toMatch(/^(?:event: chances\ndata: |$)/);
});

test('ends an open stream of another market once its session has ended, and keeps the free one', async () => {
  await serve({ checkMs: 20 });
  const free = await watch();
  const stream = await fetch(`${origin}/chances/live?${chanceQuery(ETH)}`, LION);
  expect(stream.status).toBe(200);
  hasEnded = true;

  await stream.text();
  expect(await free.frame()).toMatchObject({ windows: { length: 3 } });
  await free.leave();
});

test('limits questions of one address, and streams', async () => {
  await serve({ questions: 3, mostStreams: 2 });
  const question = chanceQuery(BTC, { kind: 'above', price: lastOf(shown).close, bar: 5 });
  for (let i = 0; i < 3; i++) expect((await request(question)).status).toBe(200);
  const late = await fetch(`${origin}/chances?${question}`);
  expect([late.status, Number(late.headers.get('retry-after')) > 0]).toEqual([429, true]);

  await serve({ mostStreams: 2 });
  const open = [await watch(), await watch()];
  expect((await fetch(`${origin}/chances/live?${chanceQuery(BTC)}`)).status).toBe(429);
  await open[0]?.leave();
  await vi.waitFor(async () => {
    const again = await watch();
    await again.leave();
  });
});

async function watch() {
  const left = new AbortController();
  const response = await fetch(`${origin}/chances/live?${chanceQuery(BTC)}`, { signal: left.signal });
  if (response.status !== 200) throw new Error(`refused with ${response.status}`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    /** The next whole frame. */
    async frame(): Promise<LiveChances> {
      while (!text.includes('\n\n')) {
        const part = await reader?.read();
        if (part === undefined || part.done) throw new Error('the stream ended');
        text += part.value;
      }
      const [event = '', ...rest] = text.split('\n\n');
      text = rest.join('\n\n');
      expect(event).toMatch(/^event: chances\ndata: /);
      return liveChancesSchema.parse(JSON.parse(event.slice(event.indexOf('{'))));
    },
    async leave() {
      left.abort();
      await reader?.cancel().catch(() => undefined);
    },
  };
}

test('sends the running windows to all viewers, computed once for each change', async () => {
  const viewers = await Promise.all(Array.from({ length: 20 }, watch));
  const frames = await Promise.all(viewers.map((viewer) => viewer.frame()));
  const [frame] = frames;

  expect(viewers[0]?.response.headers.get('content-type')).toContain('text/event-stream');
  expect(frame).toMatchObject({ ...BTC, windows: [{ minutes: 5 }, { minutes: 15 }, { minutes: 60 }] });
  await vi.waitFor(() => expect(live.computations).toBeGreaterThanOrEqual(2));
  const before = live.computations;
  const changed = lastOf(shown).close + 50;
  emit({
    symbol: ONLY_SPECIFIED.knownSymbol(BTC.symbol) as MarketSymbol,
    candle: { time: lastOf(shown).time + 60, open: changed, high: changed, low: changed, close: changed },
    isClosed: false,
    venueId: 'binance',
  });
  for (const viewer of viewers) {
    let next = await viewer.frame();
    while ('error' in next || next.price !== changed) next = await viewer.frame();
  }

  // One for the price, and one for each second that passed meanwhile.
  expect(live.computations - before).toBeLessThan(20);
  expect(forecasts.computations).toBe(1);
  await Promise.all(viewers.map((viewer) => viewer.leave()));
});

test('computes nothing without viewers', async () => {
  const viewer = await watch();
  await viewer.frame();
  await viewer.leave();
  await request(chanceQuery(BTC, { kind: 'window', minutes: 5 }));

  let before = -1;
  await vi.waitFor(async () => {
    before = live.computations;
    await new Promise((done) => setTimeout(done, 1200));
    expect(live.computations).toBe(before);
  });
});

test('says in a frame why a market has no chances, and goes on when it has again', async () => {
  end = new AppError('market/halted');
  const viewer = await watch();
  expect(await viewer.frame()).toMatchObject({ windows: [{ error: { code: 'market-halted' } }, {}, {}] });

  end = null;
  let next = await viewer.frame();
  while ('error' in next || next.windows.some((window) => 'error' in window && window.error.code === 'market-halted')) {
    next = await viewer.frame();
  }
  await viewer.leave();
});
