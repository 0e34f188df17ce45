import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ForecastBand } from '../../forecast/quantiles.ts';
import { bandCoverage, coverageGrade } from './band-coverage.ts';

const BARS = 50;
/** Half widths of an 80% band around 100, and how much wider the 95% band is. */
const widths = fc.array(
  fc.tuple(fc.double({ min: 0.01, max: 20, noNaN: true }), fc.double({ min: 0, max: 20, noNaN: true })),
  {
    minLength: BARS,
    maxLength: BARS,
  },
);
const closes = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), { minLength: BARS, maxLength: BARS });

const bandOf = (halves: readonly (readonly [number, number])[]): ForecastBand => ({
  lower80: halves.map(([inner]) => 100 - inner),
  upper80: halves.map(([inner]) => 100 + inner),
  lower95: halves.map(([inner, more]) => 100 - inner - more),
  upper95: halves.map(([inner, more]) => 100 + inner + more),
});
const flat = (half80: number, half95: number): ForecastBand =>
  bandOf(Array.from({ length: BARS }, () => [half80, half95 - half80]));

test('never counts more closes inside the narrower band, nor more than there are', () => {
  fc.assert(
    fc.property(widths, closes, (halves, prices) => {
      const { bars, within80, within95 } = bandCoverage(bandOf(halves), prices);

      expect(bars).toBe(BARS);
      expect(within80).toBeGreaterThanOrEqual(0);
      expect(within80).toBeLessThanOrEqual(within95);
      expect(within95).toBeLessThanOrEqual(bars);
    }),
  );
});

test('counts every close of either edge as inside, and none beyond it', () => {
  fc.assert(
    fc.property(widths, (halves) => {
      const band = bandOf(halves);
      const all = { bars: BARS, within80: BARS, within95: BARS };

      expect(bandCoverage(band, band.lower80)).toEqual(all);
      expect(bandCoverage(band, band.upper80)).toEqual(all);
      expect(bandCoverage(band, band.upper95).within95).toBe(BARS);
      expect(
        bandCoverage(
          band,
          band.upper95.map((price) => price + 0.001),
        ),
      ).toEqual({
        bars: BARS,
        within80: 0,
        within95: 0,
      });
    }),
  );
});

test('keeps its counts when bands and closes are scaled by the same factor', () => {
  fc.assert(
    fc.property(widths, closes, fc.integer({ min: -8, max: 8 }), (halves, prices, power) => {
      // A power of two changes no digit of a price, so no close crosses an edge by rounding.
      const scaled = (values: readonly number[]) => values.map((value) => value * 2 ** power);
      const band = bandOf(halves);
      const { lower80, upper80, lower95, upper95 } = band;
      const other = {
        lower80: scaled(lower80),
        upper80: scaled(upper80),
        lower95: scaled(lower95),
        upper95: scaled(upper95),
      };

      expect(bandCoverage(other, scaled(prices))).toEqual(bandCoverage(band, prices));
    }),
  );
});

test('counts the closes of each band', () => {
  const prices = Array.from({ length: BARS }, (_, i) => 100 + i / 10);

  expect(bandCoverage(flat(1, 2), prices)).toEqual({ bars: 50, within80: 11, within95: 21 });
});

test('counts a close without an edge or without a price as outside', () => {
  const band = flat(1, 2);
  const short = { ...band, lower80: band.lower80.slice(0, 20) };

  expect(
    bandCoverage(
      short,
      Array.from({ length: BARS }, () => 100),
    ),
  ).toEqual({ bars: 50, within80: 20, within95: 50 });
  expect(
    bandCoverage(
      band,
      Array.from({ length: BARS }, () => Number.NaN),
    ),
  ).toEqual({
    bars: 50,
    within80: 0,
    within95: 0,
  });
});

test.each([
  [50, 50, 'held'],
  [40, 50, 'held'],
  [39, 50, 'partly'],
  [0, 50, 'partly'],
  [49, 49, 'partly'],
  [40, 47, 'partly'],
  [46, 46, 'missed'],
  [0, 0, 'missed'],
])('grades %i of 50 closes inside the 80%% band and %i inside the 95%% band as %s', (within80, within95, grade) => {
  expect(coverageGrade({ bars: 50, within80, within95 })).toBe(grade);
});

test('never calls a band held that a close left', () => {
  fc.assert(
    fc.property(widths, closes, (halves, prices) => {
      const coverage = bandCoverage(bandOf(halves), prices);

      if (coverageGrade(coverage) === 'held') expect(coverage.within95).toBe(BARS);
    }),
  );
});
