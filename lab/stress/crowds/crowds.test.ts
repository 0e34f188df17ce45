/** The load (lab/stress) counts correctly what it reports. A night test runs it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ageOfSizeMs, sizeOf } from '../paced-book-venue.ts';
import { TimeCounts } from './time-counts.ts';

test("recovers the age of a time encoded as a level's size, even where sizes wrap", () => {
  const sentMs = fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 });
  fc.assert(
    fc.property(sentMs, fc.integer({ min: 0, max: 3_600_000 }), (atMs, ageMs) => {
      expect(ageOfSizeMs(Number(sizeOf(atMs)), atMs + ageMs)).toBe(ageMs);
    }),
  );
});

test('computes the percentiles of counted times to within one bucket', () => {
  const times = fc.array(fc.double({ min: 0, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(times, (all) => {
      const counts = new TimeCounts();
      for (const ms of all) counts.add(ms);
      const sorted = all.toSorted((a, b) => a - b);
      const figures = counts.figures();
      for (const [share, counted] of [
        [0.5, figures.p50Ms],
        [0.99, figures.p99Ms],
      ] as const) {
        const wanted = sorted[Math.ceil(share * all.length) - 1] ?? Number.NaN;
        expect(counted).toBeGreaterThanOrEqual(wanted - 1e-9);
        expect((counted ?? 0) - wanted).toBeLessThanOrEqual(wanted < 999.9 ? 0.1 + 1e-9 : 10.1);
      }
      expect(figures.count).toBe(all.length);
    }),
  );
});
