import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL, findSymbol } from '#domain/market/symbols.ts';
import type { ReleaseCalendar } from '../market/calendar/release-calendar.ts';
import type { CandleHistory, HistorySlice } from '../market/candles/candle-history.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type CorrectionOf, openForecasts } from './forecast-cache.ts';
import { UnstartedForecast } from './inference/model-runner.ts';
import { failed } from './inference/waiting-jobs.ts';
import { generatedCandles } from './models/generated-candles.ts';
import { type ModelRegistry, openModelRegistry } from './models/model-registry.ts';
import { inProcessRunner } from './models/opened-model.ts';
import { readReleaseTable } from './releases/release-table-file.ts';
import { releasesFrom } from './releases/release-widening.ts';
import { type ModelsFolder, makeModelsFolder } from './testing/model-fixtures.ts';

const log = createLogger('silent');
const MINUTES = generatedCandles({ seed: 'cache', count: 470, firstOpen: 60_000, tickSize: 0.1 });
const never = new AbortController().signal;

/** A history whose last candle, state and delay a test sets. */
class ScriptedHistory implements CandleHistory {
  candles: Candle[] = MINUTES.slice(0, 450);
  isOpen = true;
  isStale = false;
  nowMs = Date.parse('2025-02-01T00:00:00Z');
  failure: Error | null = null;
  calls = 0;
  held: Promise<void> = Promise.resolve();

  async latest(): Promise<HistorySlice> {
    this.calls++;
    await this.held;
    if (this.failure !== null) throw this.failure;
    const { candles, isOpen, isStale, nowMs } = this;
    const asOfS = candles.at(-1)?.time ?? null;
    const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
    return { candles, ...from, asOfS, isStale, isOpen, nowMs };
  }

  async close(): Promise<void> {}
}

const runner = inProcessRunner();
let folder: ModelsFolder;
let registry: ModelRegistry;
let history: ScriptedHistory;
let forecasts: ReturnType<typeof openForecasts>;

beforeAll(async () => {
  folder = makeModelsFolder({ bobcat: 'sound', panther: 'nan-when-wild' });
  registry = await openModelRegistry(folder.path, runner);
});

afterAll(async () => {
  await runner.close();
  folder.remove();
});

beforeEach(() => {
  history = new ScriptedHistory();
  forecasts = openForecasts({ history, registry, clock: { nowMs: () => 1000 }, log });
});

const request = (signal = never, exc = 'BINANCE') => forecasts.current(exc, DEFAULT_SYMBOL, 'bobcat', signal);

test('shares one computation and one history request among 10,000 simultaneous callers', async () => {
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => request()));

  expect(new Set(answers).size).toBe(1);
  expect([forecasts.computations, history.calls]).toEqual([1, 1]);
});

test('returns what the forecast was made from', async () => {
  const forecast = await request();

  expect(forecast).toMatchObject({ exc: 'BINANCE', model: 'bobcat', issuedAtMs: 1000, marketKind: 'simulated' });
  expect(forecast.history).toEqual(MINUTES.slice(300, 450));
  expect(forecast.t0).toBe(MINUTES[449]?.time);
  expect(forecast.lastClose).toBe(MINUTES[449]?.close);
  expect(forecast.path).toHaveLength(50);
  expect(forecast.band.upper95).toHaveLength(50);
});

test('returns the same forecast within the minute, and a new one after the next candle', async () => {
  const first = await request();
  const again = await request();
  history.candles = MINUTES.slice(1, 451);
  const next = await request();

  expect(again).toBe(first);
  expect(next.t0).toBe(first.t0 + 60);
  expect(forecasts.computations).toBe(2);
});

test('knows a forecast until the next candle closes, only for its own exchange and model', async () => {
  let nowMs = 0;
  forecasts = openForecasts({ history, registry, clock: { nowMs: () => nowMs }, log });
  const isKnown = (exc = 'BINANCE', model: ModelName = 'bobcat') => forecasts.isKnown(exc, DEFAULT_SYMBOL, model);
  expect(isKnown()).toBe(false);
  const { t0 } = await request();

  nowMs = (t0 + 120) * 1000 - 1;
  expect([isKnown(), isKnown('BYBIT'), isKnown('BINANCE', 'panther'), isKnown('BINANCE', 'lion')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  nowMs += 1;
  expect(isKnown()).toBe(false);
});

test('does not count a failed forecast as known', async () => {
  history.candles = history.candles.map((candle) => ({ ...candle, high: -1 }));
  await expect(request()).rejects.toMatchObject({ code: 'forecast/failed' });

  expect(forecasts.isKnown('BINANCE', DEFAULT_SYMBOL, 'bobcat')).toBe(false);
});

test('widens the bands by the record’s correction, and keeps the model’s volatility and path', async () => {
  const correction = { p80: [2, 2, 2, 2, 2], p95: [3, 3, 3, 3, 3] };
  const correctionOf: CorrectionOf = (...calls) => {
    expect(calls).toEqual([
      ...['simulated', 'bobcat', DEFAULT_SYMBOL.sym, registry.ready('bobcat').modelVersion, '1min'],
    ]);
    return correction;
  };
  const plain = await request();
  const clock = { nowMs: () => 1000 };
  const widened = openForecasts({ history, registry, clock, log, correctionOf });
  const wide = await widened.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', never);

  const width = (edge: number | undefined) => Math.log((edge ?? 0) / plain.lastClose);
  expect(width(wide.band.upper80[49]) / width(plain.band.upper80[49])).toBeCloseTo(2, 2);
  expect(width(wide.band.lower95[0]) / width(plain.band.lower95[0])).toBeCloseTo(3, 2);
  expect([wide.correction, wide.volatility, wide.path]).toEqual([correction, plain.volatility, plain.path]);
});

/** The forecast of the last candle while the calendar lists these releases, in minutes from the moment it is made. */
async function withReleases(...minutes: number[]) {
  const madeS = (history.candles.at(-1)?.time ?? 0) + 60;
  const releases = minutes.map(
    (minute) => ({ timeS: madeS + minute * 60, kind: 'inflation', title: 'CPI m/m' }) as const,
  );
  const calendar: Pick<ReleaseCalendar, 'between'> = {
    between: async (fromS, toS) => ({
      releases: releases.filter(({ timeS }) => timeS >= fromS && timeS < toS),
      isComplete: true,
    }),
  };
  const releasesOf = releasesFrom(calendar, readReleaseTable());
  const own = openForecasts({ history, registry, clock: { nowMs: () => 1000 }, log, releasesOf });
  return own.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', never);
}

test('widens everything from a scheduled release on, and says by how much', async () => {
  const plain = await request();
  const wide = await withReleases(20);

  const width = ({ band, lastClose }: typeof plain, bar: number) => Math.log((band.upper80[bar - 1] ?? 0) / lastClose);
  expect(width(wide, 15)).toBeCloseTo(width(plain, 15), 9);
  expect(width(wide, 21)).toBeGreaterThan(1.5 * width(plain, 21));
  expect(width(wide, 50) / width(plain, 50)).toBeCloseTo(wide.releases.factor, 2);
  expect(wide.volatility.range50 / plain.volatility.range50).toBeCloseTo(wide.releases.factor, 9);
  expect(wide.path).not.toEqual(plain.path);
  const atS = plain.t0 + 60 + 20 * 60;
  expect(wide.releases).toMatchObject({
    list: [{ atS, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' }],
    isComplete: true,
  });
});

test('knows nothing of what is released after its last bar, nor of what was before it', async () => {
  const plain = await request();

  for (const minutes of [-1, -30, 56, 300]) expect({ ...(await withReleases(minutes)) }).toEqual(plain);
});

test('computes a separate forecast for another exchange of the same symbol', async () => {
  await request();
  await request(never, 'BYBIT');

  expect(forecasts.computations).toBe(2);
});

test('keeps only the last few minutes in the cache', async () => {
  for (let minute = 0; minute < 5; minute++) {
    history.candles = MINUTES.slice(minute, minute + 450);
    await request();
  }
  history.candles = MINUTES.slice(0, 450);
  await request();

  expect(forecasts.computations).toBe(6);
});

test('immediately rejects a caller that disconnects, and still serves the others', async () => {
  const release = hold();
  const leaving = new AbortController();
  const left = request(leaving.signal);
  const stayed = request();

  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  release();

  expect((await stayed).path).toHaveLength(50);
  expect(forecasts.computations).toBe(1);
});

test('starts nothing for a caller that has already disconnected', async () => {
  await expect(request(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');

  expect(history.calls).toBe(0);
});

test('passes a market failure to every waiting caller, and does not cache it', async () => {
  history.failure = new AppError('venue/unavailable');
  const refused = await Promise.allSettled([request(), request()]);
  history.failure = null;
  const forecast = await request();

  expect(refused.map((r) => r.status)).toEqual(['rejected', 'rejected']);
  expect(forecast.path).toHaveLength(50);
});

test('fails for malformed history until the next candle', async () => {
  history.candles = MINUTES.slice(0, 450).map((c, i) => (i === 7 ? { ...c, low: Number.NaN } : c));
  await expect(request()).rejects.toMatchObject({ code: 'forecast/failed' });
  await expect(request()).rejects.toMatchObject({ code: 'forecast/failed' });
  const computations = forecasts.computations;
  history.candles = MINUTES.slice(1, 451);

  expect((await request()).path).toHaveLength(50);
  expect(computations).toBe(1);
});

test.each<[string, AppError, number]>([
  ['a network that hangs is left alone until the next candle', failed('the network took too long'), 1],
  ['one that never came to its turn', new UnstartedForecast('too many forecasts are waiting'), 3],
  ['one whose history was too short', new AppError('market/too-few-candles'), 3],
])('handles three requests in a minute: %s', async (_what, refusal, computations) => {
  const refusing: ModelRegistry = {
    ...registry,
    open: async (model) => ({ ...registry.ready(model), forecast: () => Promise.reject(refusal) }),
  };
  forecasts = openForecasts({ history, registry: refusing, clock: { nowMs: () => 1000 }, log });

  for (let i = 0; i < 3; i++) await expect(request()).rejects.toBe(refusal);

  expect(forecasts.computations).toBe(computations);
});

test('fails only the model whose forecast failed', async () => {
  history.candles = generatedCandles({
    seed: 'wild',
    count: 450,
    firstOpen: 60_000,
    tickSize: 0.1,
    volatility: 0.04,
  });
  await expect(forecasts.current('BINANCE', DEFAULT_SYMBOL, 'panther', never)).rejects.toMatchObject({
    code: 'forecast/failed',
  });

  expect((await request()).path).toHaveLength(50);
});

test.each([
  ['a closed market', () => Object.assign(history, { isOpen: false }), 'market/closed'],
  ['too few candles', () => Object.assign(history, { candles: MINUTES.slice(0, 119) }), 'market/too-few-candles'],
])('refuses %s', async (_what, prepare, code) => {
  prepare();

  await expect(request()).rejects.toMatchObject({ code });
});

test('refuses a last minute that has not closed yet', async () => {
  history.nowMs = ((MINUTES[449]?.time ?? 0) + 60) * 1000 - 1500;

  const tooEarly = request();
  await expect(tooEarly).rejects.toMatchObject({
    code: 'forecast/failed',
    details: { reason: 'the last candle has not closed yet' },
  });
  history.nowMs += 1000;

  expect((await request()).path).toHaveLength(50);
});

test('refuses a share in the first minute of its session, when its last candle is the day before’s', async () => {
  const share = findSymbol('NASDAQ', 'MSFT');
  if (share === null) throw new Error('no such symbol');
  const at = (iso: string) => Date.parse(iso) / 1000;
  const day = (seed: string, startS: number, count: number) =>
    generatedCandles({ seed, startS, count, firstOpen: 440, tickSize: 0.01 });
  const yesterday = day('tuesday', at('2025-11-11T14:30:00Z'), 390);
  const requestShare = () => forecasts.current('NASDAQ', share, 'bobcat', never);

  history.candles = yesterday;
  history.nowMs = Date.parse('2025-11-12T14:30:30Z');
  await expect(requestShare()).rejects.toMatchObject({ code: 'market/closed' });
  history.candles = [...yesterday, ...day('wednesday', at('2025-11-12T14:30:00Z'), 1)];
  history.nowMs = Date.parse('2025-11-12T14:31:30Z');
  const first = await requestShare();

  expect(first.path[0]?.time).toBe(at('2025-11-12T14:31:00Z'));
});

test('continues a forecast past the close, minute by minute', async () => {
  const share = findSymbol('NASDAQ', 'MSFT');
  if (share === null) throw new Error('no such symbol');
  const startS = Date.parse('2025-11-12T14:30:00Z') / 1000;
  history.candles = generatedCandles({ seed: 'late', startS, count: 380, firstOpen: 440, tickSize: 0.01 });
  history.nowMs = (startS + 380 * 60 + 5) * 1000;

  const { t0, path } = await forecasts.current('NASDAQ', share, 'bobcat', never);

  expect(path.map((c) => (c.time - t0) / 60)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

test('withholds an implausible forecast from every caller until the next candle', async () => {
  const wild = generatedCandles({ seed: 'wild', count: 450, firstOpen: 60_000, tickSize: 0.1, volatility: 0.04 });
  const requestPanther = () => forecasts.current('BINANCE', DEFAULT_SYMBOL, 'panther', never);

  history.candles = wild;
  const refused = await Promise.allSettled([requestPanther(), requestPanther()]);
  const refusedLater = await Promise.allSettled([requestPanther()]);
  const computations = forecasts.computations;
  history.candles = MINUTES.slice(1, 451);

  expect([...refused, ...refusedLater]).toEqual(
    [1, 2, 3].map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'forecast/failed' }) })),
  );
  expect(computations).toBe(1);
  expect((await requestPanther()).path).toHaveLength(50);
});

test('refuses an untrained model without requesting market data', async () => {
  await expect(forecasts.current('BINANCE', DEFAULT_SYMBOL, 'lion', never)).rejects.toMatchObject({
    code: 'forecast/not-trained',
  });

  expect(history.calls).toBe(0);
});

function hold(): () => void {
  let release = (): void => undefined;
  history.held = new Promise((resolve) => {
    release = resolve;
  });
  return () => release();
}

test('refuses a forecast from stale candles, and makes one from fresh ones', async () => {
  history.isStale = true;
  await expect(request()).rejects.toMatchObject({
    code: 'venue/unavailable',
    details: { reason: 'the candles are old' },
  });

  history.isStale = false;

  expect((await request()).t0).toBe(MINUTES[449]?.time);
});
