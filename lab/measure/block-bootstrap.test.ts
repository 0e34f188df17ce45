import { expect, test } from 'vitest';
import { normalDraw, seededRandom } from '../../server/forecast/paths/random.ts';
import { BlockSums } from './block-bootstrap.ts';

const HOUR_S = 3600;
const mean = (s: Float64Array): number => (s[0] ?? 0) / (s[1] ?? 1);

/** Sums of normal draws, `copies` windows per block, all of a block identical. */
function noise(blocks: number, copies: number): BlockSums {
  const random = seededRandom('bootstrap-test');
  const sums = new BlockSums(2);
  for (let block = 0; block < blocks; block++) {
    const value = normalDraw(random);
    for (let copy = 0; copy < copies; copy++) {
      sums.add(block * 6 * HOUR_S + copy * 60, 0, value);
      sums.add(block * 6 * HOUR_S + copy * 60, 1, 1);
    }
  }
  return sums;
}

test('gives a mean an interval as wide as theory says', () => {
  const { low, high } = noise(400, 1).estimator()(mean);

  expect((high - low) / ((2 * 1.96) / Math.sqrt(400))).toBeCloseTo(1, 0.7);
});

test('narrows no interval when overlapping values repeat within a block', () => {
  const once = noise(100, 1).estimator()(mean);
  const often = noise(100, 30).estimator()(mean);

  expect(often.value).toBeCloseTo(once.value, 12);
  expect(often.high - often.low).toBeCloseTo(once.high - once.low, 12);
});

test('resamples two symbols of the same six hours together', () => {
  const sums = new BlockSums(2);
  for (let block = 0; block < 50; block++) {
    const both = block % 2 === 0 ? 1 : -1;
    sums.add(block * 6 * HOUR_S + 60, 0, both);
    sums.add(block * 6 * HOUR_S + 5 * HOUR_S, 1, -both);
  }

  const { value, low, high } = sums.estimator()((s) => (s[0] ?? 0) + (s[1] ?? 0));

  expect(sums.blockCount).toBe(50);
  expect([value, low, high]).toEqual([0, 0, 0]);
});

test('gives the same interval for the same sums every time', () => {
  expect(noise(40, 2).estimator()(mean)).toEqual(noise(40, 2).estimator()(mean));
});
