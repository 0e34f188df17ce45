import { expect, test } from 'vitest';
import type { Candle } from './candle.ts';
import { isNearPrice, isSameCoin } from './same-coin.ts';

/** Bars that close at the end of minutes `fromMin` on. */
const series = (closes: readonly number[], fromMin = 0, barMin = 1) => ({
  barS: 60 * barMin,
  candles: closes.map((close, i): Candle => {
    return { time: 60 * (fromMin + i * barMin), open: close, high: close, low: close, close };
  }),
});
const walk = Array.from({ length: 60 }, (_, i) => 100 + Math.sin(i / 5));
const times = (factor: number) => walk.map((close) => close * factor);

test.each([
  ['two exchanges’ prices of one coin', series(walk), series(times(1.004)), true],
  ['a coin a thousand times cheaper', series(walk), series(times(0.001)), false],
  ['a coin half again as dear', series(walk), series(times(1.5)), false],
  ['a coin some percent away', series(walk), series(times(0.95)), false],
  ['few bad candles', series(walk), series(walk.map((close, i) => (i % 10 === 0 ? close / 2 : close))), true],
  ['bars of another length by when they close', series(walk), series([walk[14] ?? 0, walk[29] ?? 0], 0, 15), true],
  ['other bars of another length', series(walk), series([1.5 * (walk[14] ?? 0)], 0, 15), false],
  ['a later series at a moved price', series(walk), series(times(2.5), 5000), true],
  ['a later series of another coin', series(walk), series(times(0.001), 5000), false],
  ['nothing', series(walk), series([]), true],
])('compares %s, either way round', (_what, a, b, expected) => {
  expect([isSameCoin(a, b), isSameCoin(b, a)]).toEqual([expected, expected]);
});

test('allows a moment’s difference between two prices', () => {
  expect([isNearPrice(100, 112), isNearPrice(112, 100), isNearPrice(100, 130), isNearPrice(1.75e-7, 1.75e-4)]).toEqual([
    ...[true, true, false, false],
  ]);
});
