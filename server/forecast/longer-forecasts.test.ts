/** Forecasts of 5 and 15 minutes: their own key in the cache, and what they refuse. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aggregateCandles } from '#domain/market/bars.ts';
import type { Candle } from '#domain/market/candle.ts';
import { cataloguedSymbol } from '#domain/market/catalogue/catalogued-symbol.ts';
import { DEFAULT_SYMBOL, type MarketSymbol } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { NO_CORRECTION } from '#domain/record/bands/band-correction.ts';
import type { CandleHistory } from '../market/candles/candle-history.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { openForecasts } from './forecast-cache.ts';
import { generatedCandles } from './models/generated-candles.ts';
import { type ModelRegistry, openModelRegistry } from './models/model-registry.ts';
import { inProcessRunner } from './models/opened-model.ts';
import { toShared } from './stream/forecast-stream.ts';
import { type ModelsFolder, makeModelsFolder } from './testing/model-fixtures.ts';

const log = createLogger('silent');
const never = new AbortController().signal;
/** Every timeframe's last bar opens here: the hardest case to tell apart. */
const JOIN_S = 1_762_959_600;
const LONGER = ['5min', '15min'] as const;

/** Bars of one timeframe, the last of which opens at JOIN_S. */
function barsOf(timeframe: Timeframe, count = 450): Candle[] {
  const barS = barSecondsOf(timeframe);
  const startS = JOIN_S - (count - 1) * barS;
  return generatedCandles({ seed: timeframe, count, startS, firstOpen: 60_000, tickSize: 0.1, barS });
}

const runner = inProcessRunner();
let folder: ModelsFolder;
let registry: ModelRegistry;
let bars: Record<Timeframe, Candle[]>;
let state: { isStale: boolean; isOpen: boolean; nowMs: number };
let history: CandleHistory;
let forecasts: ReturnType<typeof openForecasts>;

beforeAll(async () => {
  folder = makeModelsFolder({ bobcat: 'sound' });
  for (const timeframe of LONGER)
    makeModelsFolder({ bobcat: 'sound' }, { path: join(folder.path, timeframe), timeframe });
  registry = await openModelRegistry(folder.path, runner);
});

afterAll(async () => {
  await runner.close();
  folder.remove();
});

beforeEach(() => {
  bars = { '1min': barsOf('1min'), '5min': barsOf('5min'), '15min': barsOf('15min') };
  state = { isStale: false, isOpen: true, nowMs: (JOIN_S + 900) * 1000 };
  history = {
    async latest(_symbol, count, _signal, timeframe = '1min') {
      const candles = bars[timeframe].slice(-count);
      const from = { marketKind: 'simulated', venueId: 'scripted', attribution: 'Scripted', delayS: 0 } as const;
      return { candles, ...from, asOfS: candles.at(-1)?.time ?? null, ...state };
    },
    close: async () => undefined,
  };
  forecasts = openForecasts({ history, registry, clock: { nowMs: () => state.nowMs }, log });
});

const request = (timeframe: Timeframe, symbol: MarketSymbol = DEFAULT_SYMBOL) =>
  forecasts.current(symbol.exc, symbol, 'bobcat', never, timeframe);

test('computes one forecast of each timeframe, from its own candles, for the same second', async () => {
  const [first, again] = [[], []] as Awaited<ReturnType<typeof request>>[][];
  for (const timeframe of TIMEFRAMES) first?.push(await request(timeframe));
  for (const timeframe of TIMEFRAMES) again?.push(await request(timeframe));

  expect(again).toEqual(first);
  expect(forecasts.computations).toBe(3);
  expect(first?.map(({ timeframe, t0, lastClose }) => [timeframe, t0, lastClose])).toEqual(
    TIMEFRAMES.map((timeframe) => [timeframe, JOIN_S, bars[timeframe].at(-1)?.close]),
  );
  for (const { path, timeframe } of first ?? [])
    expect(path.map(({ time }) => time)).toEqual(
      Array.from({ length: 50 }, (_, i) => JOIN_S + (i + 1) * barSecondsOf(timeframe)),
    );
});

test('widens the streamed and saved bands of each timeframe by what its own record taught, and of other coins by nothing', async () => {
  const twice = { p80: [2, 2, 2, 2, 2], p95: [2, 2, 2, 2, 2] };
  const learnt = openForecasts({
    history,
    registry,
    clock: { nowMs: () => state.nowMs },
    log,
    correctionOf: (_kind, _model, sym, _version, timeframe) =>
      timeframe === '5min' && sym === DEFAULT_SYMBOL.sym ? twice : NO_CORRECTION,
  });
  const coin = cataloguedSymbol({ label: 'LINK/USDT', exc: 'BINANCE', sym: 'LINKUSDT.P', tickSize: 0.1 });
  const widthOf = async (from: typeof forecasts, timeframe: Timeframe, symbol: MarketSymbol = DEFAULT_SYMBOL) => {
    const forecast = await from.current(symbol.exc, symbol, 'bobcat', never, timeframe);
    const { upper80, lower80 } = toShared(forecast).start.band;
    return Math.log((upper80[49] ?? 0) / (lower80[49] ?? 1));
  };

  for (const [timeframe, factor] of [
    ['1min', 1],
    ['5min', 2],
    ['15min', 1],
  ] as const)
    expect((await widthOf(learnt, timeframe)) / (await widthOf(forecasts, timeframe)), timeframe).toBeCloseTo(
      factor,
      2,
    );
  expect(await widthOf(learnt, '5min', coin)).toBeCloseTo(await widthOf(forecasts, '5min', coin), 6);
});

test('knows a forecast until the next candle of its timeframe closes', async () => {
  const isKnown = (timeframe: Timeframe) => forecasts.isKnown('BINANCE', DEFAULT_SYMBOL, 'bobcat', timeframe);
  await request('5min');

  state.nowMs = (JOIN_S + 600) * 1000 - 1;
  expect(TIMEFRAMES.map(isKnown)).toEqual([false, true, false]);
  state.nowMs += 1;
  expect(TIMEFRAMES.map(isKnown)).toEqual([false, false, false]);
});

test.each(LONGER)('refuses a bar of %s that has not closed yet', async (timeframe) => {
  state.nowMs = (JOIN_S + barSecondsOf(timeframe)) * 1000 - 1001;

  await expect(request(timeframe)).rejects.toMatchObject({
    code: 'forecast/failed',
    details: { reason: 'the last candle has not closed yet' },
  });
});

test.each(LONGER)('refuses fewer than 120 bars of %s', async (timeframe) => {
  bars[timeframe] = barsOf(timeframe, 119);

  await expect(request(timeframe)).rejects.toMatchObject({
    code: 'market/too-few-candles',
    details: { bars: 119, needed: 120 },
  });
});

test.each(LONGER)('refuses bars of %s that are old', async (timeframe) => {
  state.isStale = true;

  await expect(request(timeframe)).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test('forecasts across a bar that a missing minute left out, as across any gap', async () => {
  const count = 460 * 15;
  const minutes = generatedCandles({ seed: 'gap', count, startS: JOIN_S - (count - 15) * 60, tickSize: 0.1 });
  const missingS = JOIN_S - 3 * 900 + 420;
  bars['15min'] = aggregateCandles(
    minutes.filter(({ time }) => time !== missingS),
    '15min',
  );

  const { lookback, t0 } = await request('15min');

  expect([t0, lookback.length]).toEqual([JOIN_S, 450]);
  expect(lookback.some(({ time }) => time === JOIN_S - 3 * 900)).toBe(false);
});

test('refuses a share when no bar follows the last one of its session', async () => {
  const share = symbolNamed('MSFT');
  // Wednesday, 21:00 UTC: New York closes. The last quarter of an hour opened at 20:45.
  const lastS = Date.parse('2025-11-12T20:45:00Z') / 1000;
  bars['15min'] = generatedCandles({ seed: 'share', count: 200, startS: lastS - 199 * 900, tickSize: 0.01, barS: 900 });
  state.nowMs = (lastS + 900) * 1000;

  await expect(request('15min', share)).rejects.toMatchObject({ code: 'market/closed' });
});

test.each(LONGER)('refuses an untrained model of %s without requesting market data', async (timeframe) => {
  const refusal = forecasts.current('BINANCE', DEFAULT_SYMBOL, 'lion', never, timeframe);

  await expect(refusal).rejects.toMatchObject({ code: 'forecast/not-trained' });
});
