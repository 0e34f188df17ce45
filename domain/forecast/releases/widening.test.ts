import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ReleaseTable, releaseTableSchema } from './release-table.ts';
import { deviationFactors, releasesWithin, storedWidthFactor, varianceFactors, widthFactor } from './widening.ts';

const TABLE: ReleaseTable = releaseTableSchema.parse({
  version: 'releases-0123456789',
  columnStartsMin: [-5, -1, 0, 1, 2, 5, 10, 20, 35, 60],
  kinds: { inflation: [1.5, 2, 7, 3, 2, 2, 2, 1, 1], ism: [1, 1, 2, 1, 1, 1, 1, 1, 1] },
});
const T0 = 1_760_000_040;
const BARS = { t0: T0, barS: 60, assetClass: 'crypto' } as const;
const MADE_S = T0 + 60;
const inMinutes = (minutes: number, kind: 'inflation' | 'ism' = 'inflation') => ({
  timeS: MADE_S + minutes * 60,
  kind,
});
const factorsOf = (...releases: { timeS: number; kind: 'inflation' | 'ism' }[]) =>
  varianceFactors(releases, BARS, TABLE);

test('multiplies the variance of the minutes before, at and after a release, and of no other', () => {
  const factors = factorsOf(inMinutes(10)) ?? [];

  expect(factors.slice(0, 5)).toEqual([1, 1, 1, 1, 1]);
  expect(factors.slice(5, 16)).toEqual([2.25, 2.25, 2.25, 2.25, 4, 49, 9, 4, 4, 4, 4]);
  expect(factors.slice(30)).toEqual(Array(20).fill(1));
});

test('counts a release at the very second of the forecast, and none before it', () => {
  expect(factorsOf(inMinutes(0))?.[0]).toBe(49);
  expect(factorsOf(inMinutes(-1))).toBeNull();
  expect(factorsOf({ ...inMinutes(0), timeS: MADE_S - 1 })).toBeNull();
});

test('gives a release within a minute to that minute', () => {
  expect(factorsOf({ ...inMinutes(3), timeS: MADE_S + 3 * 60 + 30 })?.slice(2, 5)).toEqual([4, 49, 9]);
});

test('takes the greatest of several, and the same for one that is listed twice', () => {
  const both = factorsOf(inMinutes(10), inMinutes(10, 'ism'), inMinutes(10));

  expect(both).toEqual(factorsOf(inMinutes(10)));
});

test('awaits a release that follows the last bar', () => {
  const factors = factorsOf(inMinutes(52)) ?? [];

  expect(factors.slice(46)).toEqual([1, 2.25, 2.25, 2.25]);
  expect(releasesWithin([inMinutes(52), inMinutes(49), inMinutes(-1)], BARS)).toEqual([inMinutes(49)]);
});

test('spreads a release over the minutes of longer bars', () => {
  const factors = varianceFactors([inMinutes(5)], { ...BARS, t0: MADE_S - 300, barS: 300 }, TABLE) ?? [];

  expect(factors[0]).toBeCloseTo((4 * 2.25 + 4) / 5, 12);
  expect(factors[1]).toBeCloseTo((49 + 9 + 3 * 4) / 5, 12);
});

test('leaves shares and metals alone for releases that were measured on coins only', () => {
  expect(varianceFactors([inMinutes(10, 'ism')], { ...BARS, assetClass: 'equity' }, TABLE)).toBeNull();
  expect(varianceFactors([inMinutes(10)], { ...BARS, assetClass: 'metal' }, TABLE)).not.toBeNull();
});

test('widens every horizon by the share of variance that a release adds, never narrows one', () => {
  expect(deviationFactors([1, 1, 2], [1, 7, 1])).toEqual([1, 2, Math.sqrt(2.5)]);
  expect(deviationFactors([0, 0], [4, 4])).toEqual([1, 1]);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 50, noNaN: true })), {
        minLength: 1,
        maxLength: 50,
      }),
      (bars) => {
        const factors = deviationFactors(
          bars.map(([variance]) => variance),
          bars.map(([, factor]) => factor),
        );
        return factors.every((factor) => factor >= 1 - 1e-12 && factor <= Math.sqrt(50) + 1e-9);
      },
    ),
  );
});

test.each([
  ['at every bar', Array.from({ length: 50 }, (_, i) => i + 1)],
  ['at the five bars that a record keeps', [1, 5, 15, 30, 50]],
])('finds in stored variances how much wider a release made the last bar: %s', (_where, bars) => {
  const factors = factorsOf(inMinutes(10)) ?? [];
  const widened = factors.map((factor) => factor * 4e-8);
  const sumTo = (bar: number) => widened.slice(0, bar).reduce((sum, variance) => sum + variance, 0);

  const factor = storedWidthFactor(
    bars.map((bar) => ({ bar, variance: sumTo(bar) })),
    factors,
  );

  expect(factor).toBeCloseTo(widthFactor(widened, factors), 9);
  expect(factor).toBeGreaterThan(1.3);
});

test('finds no widening in variances that stay flat or at zero', () => {
  expect(
    storedWidthFactor(
      [
        { bar: 1, variance: 0 },
        { bar: 50, variance: 0 },
      ],
      Array(50).fill(4),
    ),
  ).toBe(1);
  expect(
    storedWidthFactor(
      [
        { bar: 1, variance: 9 },
        { bar: 50, variance: 9 },
      ],
      [1, ...Array(49).fill(9)],
    ),
  ).toBe(1);
});
