import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_SYMBOL, findSymbol } from '#domain/market/symbols.ts';
import type { CandleHistory, HistorySlice } from '../market/candles/candle-history.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { openForecasts } from './forecast-cache.ts';
import { inProcessRunner } from './inference/in-process-runner.ts';
import { UnaskedForecast } from './inference/model-runner.ts';
import { failed } from './inference/waiting-jobs.ts';
import { generatedCandles } from './models/generated-candles.ts';
import { type ModelRegistry, openModelRegistry } from './models/model-registry.ts';
import { type ModelsFolder, makeModelsFolder } from './testing/model-fixtures.ts';

const log = createLogger('silent');
const MINUTES = generatedCandles({ seed: 'cache', count: 470, firstOpen: 60_000, tickSize: 0.1 });
const never = new AbortController().signal;

/** A history whose last candle, state and patience a test sets. */
class ScriptedHistory implements CandleHistory {
  candles: Candle[] = MINUTES.slice(0, 450);
  isOpen = true;
  isStale = false;
  nowMs = Date.parse('2025-02-01T00:00:00Z');
  failure: Error | null = null;
  asked = 0;
  held: Promise<void> = Promise.resolve();

  async latest(): Promise<HistorySlice> {
    this.asked++;
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

const ask = (signal = never, exc = 'BINANCE') => forecasts.current(exc, DEFAULT_SYMBOL, 'bobcat', signal);

test('ten thousand who ask at once share one computation and one look at the history', async () => {
  const answers = await Promise.all(Array.from({ length: 10_000 }, () => ask()));

  expect(new Set(answers).size).toBe(1);
  expect([forecasts.computations, history.asked]).toEqual([1, 1]);
});

test('the forecast tells what it was made from', async () => {
  const forecast = await ask();

  expect(forecast).toMatchObject({ exc: 'BINANCE', model: 'bobcat', issuedAtMs: 1000, marketKind: 'simulated' });
  expect(forecast.history).toEqual(MINUTES.slice(300, 450));
  expect(forecast.t0).toBe(MINUTES[449]?.time);
  expect(forecast.lastClose).toBe(MINUTES[449]?.close);
  expect(forecast.path).toHaveLength(50);
  expect(forecast.band.upper95).toHaveLength(50);
});

test('within the minute the same forecast is given again; the next candle makes a new one', async () => {
  const first = await ask();
  const again = await ask();
  history.candles = MINUTES.slice(1, 451);
  const next = await ask();

  expect(again).toBe(first);
  expect(next.t0).toBe(first.t0 + 60);
  expect(forecasts.computations).toBe(2);
});

test('it is known without computing until the next candle has closed, for its own exchange and model alone', async () => {
  let nowMs = 0;
  forecasts = openForecasts({ history, registry, clock: { nowMs: () => nowMs }, log });
  const isKnown = (exc = 'BINANCE', model: ModelName = 'bobcat') => forecasts.isKnown(exc, DEFAULT_SYMBOL, model);
  expect(isKnown()).toBe(false);
  const { t0 } = await ask();

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

test('a failed forecast is not a known one', async () => {
  history.candles = history.candles.map((candle) => ({ ...candle, high: -1 }));
  await expect(ask()).rejects.toMatchObject({ code: 'forecast/failed' });

  expect(forecasts.isKnown('BINANCE', DEFAULT_SYMBOL, 'bobcat')).toBe(false);
});

test('bands are as wide as the record says; what the model said stays', async () => {
  const correction = { p80: [2, 2, 2, 2, 2], p95: [3, 3, 3, 3, 3] };
  const correctionOf = (...asked: string[]) => {
    expect(asked).toEqual(['simulated', 'bobcat', DEFAULT_SYMBOL.sym, registry.ready('bobcat').modelVersion]);
    return correction;
  };
  const plain = await ask();
  const clock = { nowMs: () => 1000 };
  const widened = openForecasts({ history, registry, clock, log, correctionOf });
  const wide = await widened.current('BINANCE', DEFAULT_SYMBOL, 'bobcat', never);

  const width = (edge: number | undefined) => Math.log((edge ?? 0) / plain.lastClose);
  expect(width(wide.band.upper80[49]) / width(plain.band.upper80[49])).toBeCloseTo(2, 2);
  expect(width(wide.band.lower95[0]) / width(plain.band.lower95[0])).toBeCloseTo(3, 2);
  expect([wide.correction, wide.volatility, wide.path]).toEqual([correction, plain.volatility, plain.path]);
});

test('another exchange of the same symbol is another forecast', async () => {
  await ask();
  await ask(never, 'BYBIT');

  expect(forecasts.computations).toBe(2);
});

test('only the last few minutes are kept', async () => {
  for (let minute = 0; minute < 5; minute++) {
    history.candles = MINUTES.slice(minute, minute + 450);
    await ask();
  }
  history.candles = MINUTES.slice(0, 450);
  await ask();

  expect(forecasts.computations).toBe(6);
});

test('who leaves hears so at once, and the others get their forecast', async () => {
  const release = hold();
  const leaving = new AbortController();
  const left = ask(leaving.signal);
  const stayed = ask();

  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  release();

  expect((await stayed).path).toHaveLength(50);
  expect(forecasts.computations).toBe(1);
});

test('an asker who has already left starts nothing', async () => {
  await expect(ask(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');

  expect(history.asked).toBe(0);
});

test('a failure of the market reaches everyone who waits and is not remembered', async () => {
  history.failure = new AppError('venue/unavailable');
  const refused = await Promise.allSettled([ask(), ask()]);
  history.failure = null;
  const forecast = await ask();

  expect(refused.map((r) => r.status)).toEqual(['rejected', 'rejected']);
  expect(forecast.path).toHaveLength(50);
});

test('malformed history is a failed forecast, for everyone who asks until the next candle', async () => {
  history.candles = MINUTES.slice(0, 450).map((c, i) => (i === 7 ? { ...c, low: Number.NaN } : c));
  await expect(ask()).rejects.toMatchObject({ code: 'forecast/failed' });
  await expect(ask()).rejects.toMatchObject({ code: 'forecast/failed' });
  const computations = forecasts.computations;
  history.candles = MINUTES.slice(1, 451);

  expect((await ask()).path).toHaveLength(50);
  expect(computations).toBe(1);
});

test.each<[string, AppError, number]>([
  ['a network that hangs is left alone until the next candle', failed('the network took too long'), 1],
  ['one that never came to its turn', new UnaskedForecast('too many forecasts are waiting'), 3],
  ['one whose history was too short', new AppError('market/too-few-candles'), 3],
])('asked three times in a minute: %s', async (_what, refusal, computations) => {
  const refusing: ModelRegistry = {
    ...registry,
    ready: (model) => ({ ...registry.ready(model), forecast: () => Promise.reject(refusal) }),
  };
  forecasts = openForecasts({ history, registry: refusing, clock: { nowMs: () => 1000 }, log });

  for (let asking = 0; asking < 3; asking++) await expect(ask()).rejects.toBe(refusal);

  expect(forecasts.computations).toBe(computations);
});

test('a failed forecast fails for its own model alone', async () => {
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

  expect((await ask()).path).toHaveLength(50);
});

test.each([
  ['a closed market', () => Object.assign(history, { isOpen: false }), 'market/closed'],
  ['too few candles', () => Object.assign(history, { candles: MINUTES.slice(0, 119) }), 'market/too-few-candles'],
])('%s is refused', async (_what, prepare, code) => {
  prepare();

  await expect(ask()).rejects.toMatchObject({ code });
});

test('a minute that has not closed is no past to forecast from', async () => {
  history.nowMs = ((MINUTES[449]?.time ?? 0) + 60) * 1000 - 1500;

  const tooEarly = ask();
  await expect(tooEarly).rejects.toMatchObject({
    code: 'forecast/failed',
    details: { reason: 'the last candle has not closed yet' },
  });
  history.nowMs += 1000;

  expect((await ask()).path).toHaveLength(50);
});

test('a share in the first minute of its session is refused: its last candle is from the day before', async () => {
  const share = findSymbol('NASDAQ', 'MSFT');
  if (share === null) throw new Error('no such symbol');
  const at = (iso: string) => Date.parse(iso) / 1000;
  const day = (seed: string, startS: number, count: number) =>
    generatedCandles({ seed, startS, count, firstOpen: 440, tickSize: 0.01 });
  const yesterday = day('tuesday', at('2025-11-11T14:30:00Z'), 390);
  const askShare = () => forecasts.current('NASDAQ', share, 'bobcat', never);

  history.candles = yesterday;
  history.nowMs = Date.parse('2025-11-12T14:30:30Z');
  await expect(askShare()).rejects.toMatchObject({ code: 'market/closed' });
  history.candles = [...yesterday, ...day('wednesday', at('2025-11-12T14:30:00Z'), 1)];
  history.nowMs = Date.parse('2025-11-12T14:31:30Z');
  const first = await askShare();

  expect(first.path[0]?.time).toBe(at('2025-11-12T14:31:00Z'));
});

test('a forecast that begins shortly before the close goes on past it, minute by minute', async () => {
  const share = findSymbol('NASDAQ', 'MSFT');
  if (share === null) throw new Error('no such symbol');
  const startS = Date.parse('2025-11-12T14:30:00Z') / 1000;
  history.candles = generatedCandles({ seed: 'late', startS, count: 380, firstOpen: 440, tickSize: 0.01 });
  history.nowMs = (startS + 380 * 60 + 5) * 1000;

  const { t0, path } = await forecasts.current('NASDAQ', share, 'bobcat', never);

  expect(path.map((c) => (c.time - t0) / 60)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
});

test('a forecast that no market could follow is withheld from everyone, until the next candle', async () => {
  const wild = generatedCandles({ seed: 'wild', count: 450, firstOpen: 60_000, tickSize: 0.1, volatility: 0.04 });
  const askPanther = () => forecasts.current('BINANCE', DEFAULT_SYMBOL, 'panther', never);

  history.candles = wild;
  const refused = await Promise.allSettled([askPanther(), askPanther()]);
  const refusedLater = await Promise.allSettled([askPanther()]);
  const computations = forecasts.computations;
  history.candles = MINUTES.slice(1, 451);

  expect([...refused, ...refusedLater]).toEqual(
    [1, 2, 3].map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'forecast/failed' }) })),
  );
  expect(computations).toBe(1);
  expect((await askPanther()).path).toHaveLength(50);
});

test('an untrained model is refused before anyone looks at the market', async () => {
  await expect(forecasts.current('BINANCE', DEFAULT_SYMBOL, 'lion', never)).rejects.toMatchObject({
    code: 'forecast/not-trained',
  });

  expect(history.asked).toBe(0);
});

function hold(): () => void {
  let release = (): void => undefined;
  history.held = new Promise((resolve) => {
    release = resolve;
  });
  return () => release();
}

test('old candles of a venue that is away make no forecast, and the fresh ones after them do', async () => {
  history.isStale = true;
  await expect(ask()).rejects.toMatchObject({ code: 'venue/unavailable', details: { reason: 'the candles are old' } });

  history.isStale = false;

  expect((await ask()).t0).toBe(MINUTES[449]?.time);
});
