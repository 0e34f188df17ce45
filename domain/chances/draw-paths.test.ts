import { expect, test } from 'vitest';
import { sfc32 } from '../forecast/sfc32.ts';
import { walkFirst, walkTouch } from './baseline-chance.ts';
import { compiledTables } from './compiled-tables.ts';
import { type DrawnPaths, type PathShape, pathSteps, scaledPaths } from './draw-paths.ts';
import { normalQuantile } from './normal.ts';
import { pathFirst, pathTouch } from './path-chance.ts';
import { RandomBits } from './random-bits.ts';
import { FIXTURE_TABLES } from './testing/chance-fixtures.ts';

const VOLATILITY = 5e-4;

function shapeOf(tables = FIXTURE_TABLES): PathShape {
  return { tables: compiledTables(tables), lengths: { returns: 1, wicks: 1 } };
}

/** Without clustering and wicks, and with the sizes of normal draws. */
const WALK = (() => {
  const probabilities = Array.from({ length: 1001 }, (_, i) => i / 1000);
  const sizes = probabilities.map((p) => normalQuantile((1 + Math.min(p, 0.9997)) / 2));
  const none = probabilities.map(() => 0);
  return {
    alpha: 0,
    beta: 0,
    probabilities,
    returnEdges: [1],
    previousEdges: [1],
    absReturn: [sizes, sizes],
    wicks: [
      [none, none],
      [none, none],
    ],
    aheadShare: [none, none],
  };
})();

function drawnPaths(shape: PathShape, variance: Float64Array, pairs: number, key: string): DrawnPaths {
  return scaledPaths(pathSteps(shape, variance.length, pairs, key), variance);
}

function walk(bars: number): DrawnPaths {
  return drawnPaths(shapeOf(WALK), new Float64Array(bars).fill(VOLATILITY ** 2), 4000, 'walk');
}

test('keeps highs above and lows below every close so far', () => {
  const { pairs, bars, level, highest, lowest } = drawnPaths(
    shapeOf(),
    new Float64Array(50).fill(VOLATILITY ** 2),
    200,
    'highs',
  );

  for (let pair = 0; pair < pairs; pair++) {
    for (let bar = 0; bar < bars; bar++) {
      const at = pair * bars + bar;
      const before = bar === 0 ? 0 : at - 1;
      const [high, low] = bar === 0 ? [0, 0] : [highest[before] ?? 0, lowest[before] ?? 0];
      expect(highest[at]).toBeGreaterThanOrEqual(Math.max(high, level[at] ?? 1));
      expect(lowest[at]).toBeLessThanOrEqual(Math.min(low, level[at] ?? -1));
    }
  }
});

test('has the variance of its bars', () => {
  const { pairs, bars, level } = walk(50);
  let squares = 0;
  for (let pair = 0; pair < pairs; pair++) squares += (level[pair * bars + bars - 1] ?? 0) ** 2;

  expect(Math.sqrt(squares / pairs / 50) / VOLATILITY).toBeCloseTo(1, 1);
});

test('agrees with the closed form of a normal walk as far as looking once a bar allows', () => {
  const paths = walk(50);
  const sigma = VOLATILITY * Math.sqrt(50);
  // Looking once a bar misses what lies between: Broadie, Glasserman and Kou move the barrier by 0.5826 of a step.
  const shift = 0.5826 * VOLATILITY;
  for (const move of [0.002, -0.003, 0.005]) {
    const expected = walkTouch(sigma, Math.abs(move) + shift);
    expect(Math.abs(pathTouch(paths, move, 50) - expected)).toBeLessThan(0.02);
  }
  for (const [above, below] of [
    [0.002, 0.002],
    [0.004, 0.002],
    [0.002, 0.005],
  ] as const) {
    const found = pathFirst(paths, above, below, 50);
    expect(Math.abs(found.above - walkFirst(sigma, above + shift, below + shift))).toBeLessThan(0.02);
    expect(Math.abs(found.below - walkFirst(sigma, below + shift, above + shift))).toBeLessThan(0.02);
    expect(found.above + found.below + found.neither).toBeCloseTo(1, 12);
  }
});

test('treats up and down alike, because each path has its mirror image', () => {
  const paths = drawnPaths(shapeOf(), new Float64Array(20).fill(VOLATILITY ** 2), 500, 'mirror');

  expect(pathTouch(paths, 0.002, 20)).toBe(pathTouch(paths, -0.002, 20));
  expect(pathFirst(paths, 0.002, 0.001, 20).above).toBe(pathFirst(paths, 0.001, 0.002, 20).below);
});

test('scales the same steps to any variance, to fewer bars, and into paths that are no longer needed', () => {
  const steps = pathSteps(shapeOf(), 50, 100, 'scaled');
  const variance = Float64Array.from({ length: 50 }, (_, i) => (VOLATILITY * (1 + i / 50)) ** 2);
  const whole = scaledPaths(steps, variance);
  const [level, highest] = [whole.level.slice(), whole.highest.slice()];
  const fewer = scaledPaths(steps, variance.slice(0, 7));
  const wider = scaledPaths(
    steps,
    variance.map((of) => 4 * of),
    whole,
  );

  expect(wider).toBe(whole);
  for (const pair of [0, 57, 99]) {
    for (const bar of [0, 3, 6]) {
      expect(fewer.level[pair * 7 + bar]).toBe(level[pair * 50 + bar]);
      expect(fewer.highest[pair * 7 + bar]).toBe(highest[pair * 50 + bar]);
    }
    expect(wider.highest[pair * 50 + 49]).toBeCloseTo(2 * (highest[pair * 50 + 49] ?? 0), 6);
  }
});

test('gives the numbers of sfc32', () => {
  const words = new Uint32Array(20);
  const random = new RandomBits('key');
  random.fill(words.subarray(0, 7));
  random.fill(words.subarray(7));
  const again = new Uint32Array(20);
  new RandomBits('key').fill(again);
  const other = new Uint32Array(20);
  new RandomBits('kez').fill(other);

  expect([...words]).toEqual([...again]);
  expect(other.some((word, i) => word === words[i])).toBe(false);
  expect(typeof sfc32(1, 2, 3)()).toBe('number');
});
