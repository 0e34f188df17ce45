import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, isWellFormed } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { generatedCandles } from '../models/generated-candles.ts';
import { UPPER_LEVELS } from '../models/manifest.ts';
import { PLAIN_TABLES } from '../testing/model-fixtures.ts';
import { buildFeatures } from './features.ts';
import { computeForecast, type NetworkOutput, type NetworkSubject, volatilityOf } from './network-forecast.ts';

const ETH: NetworkSubject = { sym: 'ETHUSDT.P', assetClass: 'crypto', tickSize: 0.01 };
const CANDLES = generatedCandles({ seed: 'forecast', count: 450, firstOpen: 2500, tickSize: 0.01 });
const SCALE = { scale: 1e-3 };
/** Upper half of the 25 levels of a standard normal distribution. */
const NORMAL = [0.063, 0.126, 0.253, 0.385, 0.524, 0.674, 0.842, 1.036, 1.282, 1.645, 1.96, 2.576];

/** The output of a network that expects a random walk at the recent volatility. */
function anOutput(over: Partial<NetworkOutput> = {}): NetworkOutput {
  return {
    logVariance: new Float32Array(HORIZON_BARS),
    upperQuantiles: Float32Array.from({ length: HORIZON_BARS * NORMAL.length }, (_, i) => {
      const h = 1 + Math.floor(i / NORMAL.length);
      return Math.sqrt(h) * (NORMAL[i % NORMAL.length] ?? 0);
    }),
    logRv50: 0.5 * Math.log(HORIZON_BARS),
    logRange50: 0.5 * Math.log(HORIZON_BARS) + 0.4,
    ...over,
  };
}

function forecast(candles: readonly Candle[], subject = ETH, version = 'v1', output = anOutput()) {
  const features = buildFeatures(candles, subject.assetClass);
  return computeForecast(PLAIN_TABLES, version, subject, features, volatilityOf(output, features));
}

test('draws bars of the length that were read', () => {
  const candles = generatedCandles({ seed: 'bars', count: 450, firstOpen: 2500, tickSize: ETH.tickSize, barS: 300 });
  const features = buildFeatures(candles, 'crypto', '5min');

  const { path, t0 } = computeForecast(PLAIN_TABLES, 'v1', ETH, features, volatilityOf(anOutput(), features));

  expect(t0).toBe(candles.at(-1)?.time);
  expect(path.map(({ time }) => time)).toEqual(Array.from({ length: HORIZON_BARS }, (_, i) => t0 + 300 * (i + 1)));
});

const aMarket = fc.record({
  seed: fc.string({ maxLength: 8 }),
  count: fc.integer({ min: 120, max: 460 }),
  firstOpen: fc.double({ min: 0.05, max: 90_000, noNaN: true }),
  volatility: fc.double({ min: 1e-6, max: 0.01, noNaN: true }),
  symbol: fc.constantFrom(...SYMBOLS),
});

test('draws valid candles on the tick grid in any market', () => {
  fc.assert(
    fc.property(aMarket, ({ seed, count, firstOpen, volatility, symbol }) => {
      const open = Math.max(firstOpen, 50 * symbol.tickSize);
      const candles = generatedCandles({ seed, count, firstOpen: open, volatility, tickSize: symbol.tickSize });

      const { path, t0, lastClose } = forecast(candles, symbol);

      expect(path).toHaveLength(HORIZON_BARS);
      path.forEach((candle, i) => {
        expect(isWellFormed(candle)).toBe(true);
        expect(candle.time).toBe(t0 + 60 * (i + 1));
        expect(candle.open).toBe(i === 0 ? lastClose : path[i - 1]?.close);
        const ticks = candle.close / symbol.tickSize;
        expect(Math.abs(ticks - Math.round(ticks))).toBeLessThan(1e-4);
      });
    }),
    { numRuns: 200 },
  );
});

test('encloses the last close and the inner band at every horizon', () => {
  fc.assert(
    fc.property(aMarket, ({ seed, count, firstOpen, volatility, symbol }) => {
      const open = Math.max(firstOpen, 50 * symbol.tickSize);
      const candles = generatedCandles({ seed, count, firstOpen: open, volatility, tickSize: symbol.tickSize });

      const { band, lastClose } = forecast(candles, symbol);

      for (let i = 0; i < HORIZON_BARS; i++) {
        const edges = [band.lower95[i], band.lower80[i], lastClose, band.upper80[i], band.upper95[i]].map(Number);
        expect(edges).toEqual([...edges].sort((a, b) => a - b));
        expect(edges[0]).toBeGreaterThan(0);
      }
    }),
    { numRuns: 100 },
  );
});

test('rounds band edges outward from the quantiles by less than a tick', () => {
  const { band, lastClose, volatility } = forecast(CANDLES);
  const at = (h: number, level: (typeof UPPER_LEVELS)[number]) =>
    volatility.upperQuantiles[h - 1]?.[UPPER_LEVELS.indexOf(level)] ?? Number.NaN;

  for (const h of [1, 25, 50]) {
    const [lower95 = 0, lower80 = 0, upper80 = 0, upper95 = 0] = [
      -at(h, 0.975),
      -at(h, 0.9),
      at(h, 0.9),
      at(h, 0.975),
    ].map((move) => lastClose * Math.exp(move));
    const outward = [
      lower95 - (band.lower95[h - 1] ?? 0),
      lower80 - (band.lower80[h - 1] ?? 0),
      (band.upper80[h - 1] ?? 0) - upper80,
      (band.upper95[h - 1] ?? 0) - upper95,
    ];
    for (const distance of outward) {
      expect(distance).toBeGreaterThan(-1e-6);
      expect(distance).toBeLessThan(ETH.tickSize);
    }
  }
});

test('multiplies the network’s volatility by the scale of the lookback', () => {
  const logVariance = Float32Array.from({ length: HORIZON_BARS }, () => Math.log(4));

  const volatility = volatilityOf(anOutput({ logVariance }), SCALE);

  expect(volatility.minuteVariance[7]).toBeCloseTo(4e-6, 12);
  expect(volatility.rv50).toBeCloseTo(1e-3 * Math.sqrt(50), 10);
  expect(volatility.range50).toBeCloseTo(1e-3 * Math.sqrt(50) * Math.exp(0.4), 10);
  expect(volatility.upperQuantiles[48]?.[8]).toBeCloseTo(1e-3 * 7 * 1.282, 6);
});

test('makes neighbouring quantiles that cross slightly equal', () => {
  const { upperQuantiles } = anOutput();
  upperQuantiles[1] = (upperQuantiles[0] ?? 0) - 0.001;

  const [first = []] = volatilityOf(anOutput({ upperQuantiles }), SCALE).upperQuantiles;

  expect(first[1]).toBe(first[0]);
  expect(first[2]).toBeGreaterThan(first[1] ?? Number.NaN);
});

/** Replaces one entry of a field in the output. */
function invalid(field: 'logVariance' | 'upperQuantiles', at: number, value: number): Partial<NetworkOutput> {
  const entries = anOutput()[field];
  entries[at] = value;
  return { [field]: entries };
}

test.each<[string, Partial<NetworkOutput>, string]>([
  ['a variance that is no number', invalid('logVariance', 49, Number.NaN), 'log variance'],
  ['an infinite variance', invalid('logVariance', 0, Number.POSITIVE_INFINITY), 'log variance'],
  ['a variance e^9 times the recent one', invalid('logVariance', 3, 9), 'log variance'],
  ['a variance e^-9 times the recent one', invalid('logVariance', 3, -9), 'log variance'],
  ['too few variances', { logVariance: new Float32Array(49) }, 'log variance'],
  ['a realised volatility that is no number', { logRv50: Number.NaN }, 'realised volatility or range'],
  ['a range out of all proportion', { logRange50: 20 }, 'realised volatility or range'],
  ['quantiles that fall', invalid('upperQuantiles', 11, 1), 'order of quantiles'],
  ['a quantile below the last close', invalid('upperQuantiles', 0, -1), 'order of quantiles'],
  ['a quantile that is no number', invalid('upperQuantiles', 599, Number.NaN), 'order of quantiles'],
  ['an infinite quantile', invalid('upperQuantiles', 599, Number.POSITIVE_INFINITY), 'order of quantiles'],
  ['a price twentyfold within 50 minutes', invalid('upperQuantiles', 599, 3001), 'quantile'],
  ['too few quantiles', { upperQuantiles: new Float32Array(UPPER_LEVELS.length) }, 'number of quantiles'],
])('withholds a forecast with %s', (_what, over, what) => {
  expect(reasonOf(() => volatilityOf(anOutput(over), SCALE))).toBe(`${what} is not plausible`);
});

test('withholds a volatility of more than 100% within 50 minutes', () => {
  expect(reasonOf(() => volatilityOf(anOutput(), { scale: 0.15 }))).toBe('volatility is not plausible');
  expect(reasonOf(() => volatilityOf(anOutput(), { scale: 0.14 }))).toBe('nothing thrown');
});

test('withholds a path far outside its own distribution', () => {
  const features = buildFeatures(CANDLES, 'crypto');
  const volatility = volatilityOf(anOutput(), features);
  const wildTables = { ...PLAIN_TABLES, lengths: { returns: 40, wicks: 1 } };

  expect(reasonOf(() => computeForecast(wildTables, 'v1', ETH, features, volatility))).toBe('path is not plausible');
});

test('withholds wicks far outside the distribution, even with plausible closes', () => {
  const features = buildFeatures(CANDLES, 'crypto');
  const volatility = volatilityOf(anOutput(), features);
  const withWicks = (wicks: number) => ({ ...PLAIN_TABLES, lengths: { returns: 1, wicks } });

  expect(reasonOf(() => computeForecast(withWicks(3), 'v1', ETH, features, volatility))).toBe('nothing thrown');
  expect(reasonOf(() => computeForecast(withWicks(300), 'v1', ETH, features, volatility))).toBe(
    'path is not plausible',
  );
});

test('draws candles with wicks on both sides, as in a market', () => {
  const { path } = forecast(CANDLES);

  expect(path.filter((c) => c.high > Math.max(c.open, c.close)).length).toBeGreaterThan(25);
  expect(path.filter((c) => c.low < Math.min(c.open, c.close)).length).toBeGreaterThan(25);
});

test('draws another path with another key of the day, and the same bands', () => {
  const withKey = (pathKey?: string) => forecast(CANDLES, { ...ETH, pathKey });
  const [one, again, other, none] = [
    withKey('11'.repeat(32)),
    withKey('11'.repeat(32)),
    withKey('22'.repeat(32)),
    withKey(),
  ];

  expect(again).toEqual(one);
  for (const different of [other, none]) {
    expect(different.path).not.toEqual(one.path);
    expect(different.band).toEqual(one.band);
  }
});

test('repeats the path for the same input, and changes it with symbol, version or minute', () => {
  const closes = (f: ReturnType<typeof forecast>) => f.path.map((c) => c.close / f.lastClose).join();
  const shifted = CANDLES.map((c) => ({ ...c, time: c.time + 3600 }));

  const first = closes(forecast(CANDLES));

  expect(closes(forecast(CANDLES))).toBe(first);
  expect(closes(forecast(CANDLES, { ...ETH, sym: 'SOLUSDT.P' }))).not.toBe(first);
  expect(closes(forecast(CANDLES, ETH, 'v2'))).not.toBe(first);
  expect(closes(forecast(shifted))).not.toBe(first);
});

test('gives a more volatile market a wider band', () => {
  const wild = generatedCandles({ seed: 'forecast', count: 450, firstOpen: 2500, tickSize: 0.01, volatility: 3e-3 });
  const width = ({ band }: ReturnType<typeof forecast>): number => (band.upper95[49] ?? 0) - (band.lower95[49] ?? 0);

  expect(width(forecast(wild)) / width(forecast(CANDLES))).toBeGreaterThan(2);
});

test('refuses prices below one tick', () => {
  const cheap = generatedCandles({ seed: 'cheap', count: 150, firstOpen: 0.5, tickSize: 0.001 });

  expect(reasonOf(() => forecast(cheap, { ...ETH, tickSize: 1 }))).toBe('the last close is below one tick');
});

function reasonOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return isAppError(error) && error.code === 'forecast/failed' ? error.details.reason : error;
  }
  return 'nothing thrown';
}
