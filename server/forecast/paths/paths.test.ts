import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';
import { PLAIN_TABLES } from '../testing/model-fixtures.ts';
import { type DrawnPath, drawPaths, PATH_COUNT, type Paths, shownPath, varianceOffGrid } from './paths.ts';
import { pathCandles, priceGrid } from './price-grid.ts';
import { seededRandom } from './random.ts';

const UNIT = { returns: 1, wicks: 1 };
const T0 = 1_735_689_600;
const FLAT = new Float64Array(HORIZON_BARS).fill(1e-6);

const logUniform = (low: number, high: number) =>
  fc.double({ min: Math.log(low), max: Math.log(high), noNaN: true }).map(Math.exp);

/** From a market that hardly moves to one that doubles in a minute; with ticks up to the whole price. */
const aHostileMarket = fc.record({
  seed: fc.nat(),
  variances: fc.array(logUniform(1e-16, 0.02), { minLength: HORIZON_BARS, maxLength: HORIZON_BARS }),
  tickSize: fc.constantFrom(1e-8, 1e-5, 0.005, 0.01, 0.1, 0.25, 1, 1000),
  ticks: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 10_000_000 })),
  lengths: fc.record({ returns: fc.constantFrom(0.5, 1, 2), wicks: fc.constantFrom(0.5, 1, 2) }),
});

const MARKETS = sampleSize(150, 1563);

test('breaks no candle invariant in any path of hostile markets', () => {
  let paths = 0;
  let broken = 0;

  fc.assert(
    fc.property(aHostileMarket, ({ seed, variances, tickSize, ticks, lengths }) => {
      const grid = priceGrid(tickSize);
      const lastClose = grid.nearest(ticks * tickSize);
      const variance = varianceOffGrid(Float64Array.from(variances), tickSize / lastClose);
      const drawn = drawPaths(PLAIN_TABLES, variance, lengths, seededRandom(seed));
      for (let path = 0; path < PATH_COUNT; path++) {
        broken += brokenIn(
          pathCandles(onePath(drawn, path), { t0: T0, barS: MINUTE_S, lastClose }, grid),
          lastClose,
          tickSize,
        );
        paths++;
      }
      return broken === 0;
    }),
    { numRuns: MARKETS },
  );

  expect(paths).toBe(MARKETS * PATH_COUNT);
  expect(broken).toBe(0);
});

/** Independent of the check in pathCandles, which wouldn't notice its own mistakes. */
function brokenIn(candles: readonly Candle[], lastClose: number, tickSize: number): number {
  let broken = candles.length === HORIZON_BARS ? 0 : 1;
  let previous = lastClose;
  let time = T0;
  for (const { time: openedS, open, high, low, close } of candles) {
    time += 60;
    const isOrdered = low > 0 && low <= open && low <= close && high >= open && high >= close && high < 1e300;
    const ticks = close / tickSize;
    const isOnGrid = ticks > 1e12 || Math.abs(ticks - Math.round(ticks)) < 1e-3;
    if (!isOrdered || !isOnGrid || open !== previous || openedS !== time) broken++;
    previous = close;
  }
  return broken;
}

function onePath({ level, upperWick, lowerWick }: Paths, path: number): DrawnPath {
  const part = (of: Float64Array): Float64Array => of.slice(path * HORIZON_BARS, (path + 1) * HORIZON_BARS);
  return { level: part(level), upperWick: part(upperWick), lowerWick: part(lowerWick) };
}

test('shows one of the 64 paths, scaled back to the lengths of ordinary candles', () => {
  const paths = drawPaths(PLAIN_TABLES, FLAT, UNIT, seededRandom('shown'));

  const shown = shownPath(paths, { returns: 1.2, wicks: 1.5 });

  const number = Array.from({ length: PATH_COUNT }, (_, path) => onePath(paths, path)).findIndex(
    ({ level }) => Math.abs(1.2 * (level[0] ?? 0) - (shown.level[0] ?? 1)) < 1e-15,
  );
  const drawn = onePath(paths, number);
  expect(Array.from(shown.level)).toEqual(Array.from(drawn.level, (level) => 1.2 * level));
  expect(Array.from(shown.upperWick)).toEqual(Array.from(drawn.upperWick, (wick) => 1.5 * wick));
});

test('shows a path of typical roughness that is nearer to the others than most', () => {
  const paths = drawPaths(PLAIN_TABLES, FLAT, UNIT, seededRandom('typical'));
  const all = Array.from({ length: PATH_COUNT }, (_, path) => onePath(paths, path));

  const shown = shownPath(paths, UNIT);

  const rougher = all.filter((path) => roughness(path) > roughness(shown)).length;
  const farther = all.filter((path) => distance(path, all) > distance(shown, all)).length;
  expect(Math.abs(rougher - PATH_COUNT / 2)).toBeLessThanOrEqual(PATH_COUNT / 4);
  expect(farther).toBeGreaterThan(PATH_COUNT / 2);
});

function roughness({ level }: DrawnPath): number {
  return level.reduce((sum, end, i) => sum + Math.abs(end - (level[i - 1] ?? 0)), 0);
}

function distance({ level }: DrawnPath, all: readonly DrawnPath[]): number {
  return all.reduce((sum, other) => sum + level.reduce((s, end, i) => s + (end - (other.level[i] ?? 0)) ** 2, 0), 0);
}

test('subtracts the rounding variance of the tick grid, but never all of the variance', () => {
  const at = (tick: number): number => varianceOffGrid(Float64Array.of(1e-6), tick)[0] ?? 0;

  expect(at(1e-9)).toBeCloseTo(1e-6, 12);
  expect(at(1e-3)).toBeCloseTo(1e-6 - 1e-6 / 6, 12);
  expect(at(1)).toBeCloseTo(0.3e-6, 12);
});
