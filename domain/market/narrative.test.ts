import { describe, expect, test } from 'vitest';
import { NEEDLE_MAX_DEG, narrativeText, PATH_CLOSES, readPath } from './narrative.ts';

/** From `start` to the middle close by `first` per cent, from there on to `whole` per cent of the start. */
function path(first: number, whole: number, start = 100_000): number[] {
  const middle = start * (1 + first / 100);
  const last = start * (1 + whole / 100);
  return Array.from({ length: PATH_CLOSES }, (_, i) =>
    i <= 25 ? start + ((middle - start) * i) / 25 : middle + ((last - middle) * (i - 25)) / 25,
  );
}

/** A seeded sequence in [0, 1). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const read = (closes: readonly number[]) => readPath(closes) ?? expect.fail('no reading');

test.each([
  ['flat', 0, 0, 'small', 0],
  ['a little up', 0.05, 0.09, 'small', 21],
  ['a little down', -0.05, -0.09, 'small', -21],
  ['little in all, whatever its halves do', 5, 0.05, 'small', 35 / 3],
  ['up in both halves', 0.1, 0.15, 'large-a', 35],
  ['down in both halves', -0.1, -0.15, 'large-b', -35],
  ['up, then back in part', 0.4, 0.15, 'large-c', 35],
  ['down, then back in part', -0.4, -0.15, 'large-c', -35],
  ['first down, in all up', -0.1, 0.15, 'large-c', 35],
  ['up in one half alone', 0, 0.15, 'large-a', 35],
  ['down in one half alone', -0.15, -0.15, 'large-b', -35],
  ['up to the needle’s end', 0.2, 0.3, 'large-a', 70],
  ['far beyond it', 5, 12, 'large-a', 70],
  ['far below', -5, -12, 'large-b', -70],
])('describes %s', (_what, first, whole, state, needleDeg) => {
  const reading = read(path(first, whole));

  expect(reading.state).toBe(state);
  expect(reading.needleDeg).toBeCloseTo(needleDeg, 9);
  expect(reading.movePercent).toBeCloseTo(whole, 9);
});

test('counts a move of exactly a tenth of a per cent as not small', () => {
  const closes = Array.from({ length: PATH_CLOSES }, (_, i) => (i < 50 ? 1000 : 1001));

  expect(read(closes).state).toBe('large-a');
});

describe('any path of prices', () => {
  const draw = random(7);
  const paths = Array.from({ length: 500 }, () => {
    const scale = 10 ** (draw() * 12 - 6);
    const wildness = 10 ** (draw() * 4 - 5);
    let price = scale;
    return Array.from({ length: PATH_CLOSES }, () => {
      price *= 1 + (draw() - 0.5) * wildness;
      return price;
    });
  });

  test('moves the needle with it, and never past its ends', () => {
    for (const closes of paths) {
      const { needleDeg, movePercent } = read(closes);
      expect(Math.abs(needleDeg)).toBeLessThanOrEqual(NEEDLE_MAX_DEG);
      expect(Math.sign(needleDeg)).toBe(Math.sign(movePercent));
    }
  });

  test('is read the same in any unit of price, and from the last 51 closes alone', () => {
    for (const closes of paths) {
      const reading = read(closes);
      const other = read([5, 1e9, ...closes.map((close) => close * 1024)]);
      expect(other.state).toBe(reading.state);
      expect(other.needleDeg).toBeCloseTo(reading.needleDeg, 9);
    }
  });

  test('is described as it is, upside down as well', () => {
    for (const closes of paths) {
      const reading = read(closes);
      const [first = 1] = closes;
      const mirrored = read(closes.map((close) => (first * first) / close));
      const expected = { small: 'small', 'large-a': 'large-b', 'large-b': 'large-a', 'large-c': 'large-c' } as const;
      // At the border itself the mirror's move is a hair longer or shorter.
      if (Math.abs(Math.abs(reading.movePercent) - 0.1) < 0.001) continue;
      expect(mirrored.state).toBe(expected[reading.state]);
    }
  });
});

test.each([
  ['none', []],
  ['fifty', path(0, 1).slice(1)],
  ['one that is no number', path(0, 1).with(20, Number.NaN)],
  ['one that is endless', path(0, 1).with(50, Number.POSITIVE_INFINITY)],
  ['a price of nothing', path(0, 1).with(0, 0)],
  ['a price below nothing', path(0, 1).with(25, -1)],
])('returns null for %s', (_what, closes) => {
  expect(readPath(closes)).toBeNull();
});

describe('the text', () => {
  const band = { lower80: 99_712.34, upper80: 100_310 };

  test.each([
    [0, 0.04, 'This path barely moves: +0.04% in 50 minutes.'],
    [0, 0, 'This path barely moves: 0.00% in 50 minutes.'],
    [0.1, 0.21, 'This path rises: +0.21% in 50 minutes.'],
    [-0.1, -0.21, 'This path falls: −0.21% in 50 minutes.'],
    [0.5, 0.2, 'This path turns: +0.50% in its first half, −0.30% in its second, +0.20% overall.'],
  ])('describes a path of %d and %d per cent', (first, whole, start) => {
    const text = narrativeText(read(path(first, whole)), band, 1);

    expect(text).toBe(`${start} By then, the model’s 80% band runs from 99,712.3 to 100,310.0.`);
  });

  test('says nothing of a band that is not known', () => {
    expect(narrativeText(read(path(0, 0)), null, 1)).toBe('This path barely moves: 0.00% in 50 minutes.');
  });

  test('contains no promise', () => {
    for (const [first, whole] of [
      [0, 0],
      [1, 2],
      [-1, -2],
      [3, 1],
    ] as const) {
      expect(narrativeText(read(path(first, whole)), band, 1)).not.toMatch(/\b(will|should|buy|sell|profit|sure)\b/i);
    }
  });
});
