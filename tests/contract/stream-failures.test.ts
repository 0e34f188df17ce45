/** Networks that return nonsense, throw, hang or die during a stream: each is refused over HTTP without a charge. */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { systemClock } from '#domain/time/clock.ts';
import { openForecasts } from '../../server/forecast/forecast-cache.ts';
import { type Inference, openInference } from '../../server/forecast/inference/inference-client.ts';
import type { ModelRunner } from '../../server/forecast/inference/model-runner.ts';
import { generatedCandles } from '../../server/forecast/models/generated-candles.ts';
import { openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import type { CandleHistory } from '../../server/market/candles/candle-history.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { readEvents } from '../support/wire/event-reader.ts';
import {
  candlesOf,
  openPredictionWorld,
  type PredictionWorld,
  type TestUser,
} from '../support/worlds/prediction-world.ts';

const TIMEOUT_MS = 1500;
const UNTOUCHED = { daily: 15, monthly: 300 };
let world: PredictionWorld;
let folder: ModelsFolder;
let inference: Inference;
let lines = '';
/** Volatility of the market at a viewer's request; the networks under test fail in a wild one. */
let volatility = 8e-4;
let minute = 0;
/** Number of forecasts requested from the inference process. */
let forecastCount = 0;

/** A market that a test makes wild; each read is another minute, so that no forecast is cached. */
const history: CandleHistory = {
  async latest() {
    minute += 1;
    const startS = 1_735_689_600 + minute * 60;
    const spec = { seed: 'failures', count: 450, startS, firstOpen: 60_000, tickSize: DEFAULT_SYMBOL.tickSize };
    const candles = generatedCandles({ ...spec, volatility });
    const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
    const asOfS = candles.at(-1)?.time ?? null;
    return { candles, ...from, asOfS, isStale: false, isOpen: true, nowMs: (startS + 450 * 60) * 1000 };
  },
  async close() {},
};

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines += String(chunk);
      done();
    },
  });
  const log = createLogger('info', destination);
  folder = makeModelsFolder({ bobcat: 'nan-when-wild', panther: 'throws-when-wild', lion: 'endless-when-wild' });
  inference = openInference({ log, timeoutMs: TIMEOUT_MS });
  const runner: ModelRunner = {
    open: (...args) => inference.open(...args),
    forecast(...args) {
      const forecast = inference.forecast(...args);
      forecastCount += 1;
      return forecast;
    },
    onLost: (listener) => inference.onLost(listener),
    close: () => inference.close(),
  };
  const registry = await openModelRegistry(folder.path, runner);
  const forecasts = openForecasts({ history, registry, clock: systemClock, log });
  world = await openPredictionWorld(dayDatabase, 0, { forecasts, registry });
});

afterAll(async () => {
  await world.close();
  await inference.close();
  folder.remove();
});

beforeEach(() => {
  lines = '';
  volatility = 8e-4;
});

const openStream = (user: TestUser, model: ModelName): Promise<Response> => {
  const query = `exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=${MODELS[model].version}`;
  return world.get(`/stream-kat2?${query}`, user.token);
};

test.each<[string, ModelName, string]>([
  ['answers no numbers', 'bobcat', 'log variance is not plausible'],
  ['throws', 'panther', 'the network failed'],
  ['never ends', 'lion', 'the network took too long'],
])('returns 503 and charges nothing for a network that %s, then streams again', async (_what, model, reason) => {
  const user = await world.user('lion');
  volatility = 0.04;

  const refused = await openStream(user, model);
  const body = await refused.json();
  const leftAfterRefusal = await world.left(user);
  const listed = await (await world.get('/forecast/reservations', user.token)).json();
  volatility = 8e-4;
  const events = await readEvents(await openStream(user, model)).rest();

  expect([refused.status, body]).toEqual([
    503,
    expect.objectContaining({ code: 'forecast/failed', details: { reason } }),
  ]);
  expect(leftAfterRefusal).toEqual(UNTOUCHED);
  expect(listed).toEqual({ reservations: [] });
  expect(lines).toContain('a forecast could not be made');
  expect(lines).toContain(reason);
  expect(lines).not.toContain(user.token);
  expect(candlesOf(events)).toHaveLength(50);
  expect(await world.left(user)).toEqual({ daily: 14, monthly: 299 });
});

test('refuses only the viewer of a killed process, without a charge, and streams to the next', async () => {
  const user = await world.user('lion');
  volatility = 0.04;
  const countBefore = forecastCount;
  const hanging = openStream(user, 'lion');
  await expect.poll(() => forecastCount).toBe(countBefore + 1);

  process.kill(inference.pid ?? Number.NaN, 'SIGKILL');
  const refused = await hanging;
  volatility = 8e-4;
  const events = await readEvents(await openStream(user, 'lion')).rest();

  expect(refused.status).toBe(503);
  expect(candlesOf(events)).toHaveLength(50);
  expect(await world.left(user)).toEqual({ daily: 14, monthly: 299 });
});
