import { expect, test } from 'vitest';
import { type Candle, MINUTE_S } from '../market/candle.ts';
import { type BarRange, barRange, placeInRange } from './bar-range.ts';

/** A whole hour. */
const START_S = 1_800_000_000;

/** Each minute moves up or down by `move`, in turn. */
function minutes(count: number, move = 0.001): Candle[] {
  const [low, high] = [100, 100 * Math.exp(move)];
  return Array.from({ length: count }, (_, i) => {
    const [open, close] = i % 2 === 0 ? [low, high] : [high, low];
    return { time: START_S + i * MINUTE_S, open, high, low, close };
  });
}

function rangeOf(...args: Parameters<typeof barRange>): BarRange {
  const range = barRange(...args);
  if (typeof range === 'string') throw new Error(range);
  return range;
}

test.each([
  ['1min', 100, 60],
  ['5min', 604, 300],
  ['15min', 1439, 900],
] as const)('starts a bar of %s where the last whole one ends', (timeframe, count, barS) => {
  const range = rangeOf(minutes(count), timeframe);

  const endS = START_S + count * MINUTE_S;
  expect(range.opensS).toBe(Math.floor(endS / barS) * barS);
  expect(range.closesS).toBe(range.opensS + barS);
});

test('is centred on the last whole bar’s close, and as wide as its market moves', () => {
  const [calm, wild] = [rangeOf(minutes(201, 0.001), '1min'), rangeOf(minutes(201, 0.004), '1min')];

  expect(calm.lower * calm.upper).toBeCloseTo((100 * Math.exp(0.001)) ** 2, 6);
  expect(Math.log(wild.upper / wild.lower) / Math.log(calm.upper / calm.lower)).toBeCloseTo(4, 6);
});

test('has a least width at constant prices', () => {
  const range = rangeOf(minutes(200, 0), '1min');

  expect(range.upper / range.lower).toBeGreaterThan(1);
});

test('does not exist after a bar that lacks a minute, and exists again after the next whole bar', () => {
  const all = minutes(330);
  const gapped = all.toSpliced(320, 1);

  expect(barRange(gapped.slice(0, -5), '5min')).toBe('gap');
  expect(rangeOf(gapped, '5min').opensS).toBe(START_S + 330 * MINUTE_S);
});

test('needs forty bars', () => {
  expect(barRange(minutes(39), '1min')).toBe('too-few');
  expect(barRange(minutes(599), '15min')).toBe('too-few');
  expect(typeof barRange(minutes(600), '15min')).toBe('object');
  expect(barRange([], '1min')).toBe('too-few');
});

test('puts the price of a range without a width in its middle', () => {
  expect(placeInRange(100, { lower: 100, upper: 100 })).toEqual({
    share: 0.5,
    text: 'inside the range, 50% of the way up',
  });
});

test.each([
  [100, 0, 'inside the range, 0% of the way up'],
  [105, 0.5, 'inside the range, 50% of the way up'],
  [99, 0, 'below the range'],
  [111, 1, 'above the range'],
])('puts a price of %d at %d, %s', (price, share, text) => {
  expect(placeInRange(price, { lower: 100, upper: 110 })).toEqual({ share, text });
});
