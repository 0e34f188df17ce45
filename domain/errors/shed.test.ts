import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './shed.ts';

test('waits at least the requested delay, and up to half as long again', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 60 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (retryAfterS, chance) => {
        const delayMs = retryDelayMs(retryAfterS, () => chance);
        expect(delayMs).toBeGreaterThanOrEqual(retryAfterS * 1000);
        expect(delayMs).toBeLessThanOrEqual(retryAfterS * 1500);
      },
    ),
  );
});

test('waits two seconds for an invalid header, and never more than a minute and a half', () => {
  const delays = [null, Number.NaN, -5, Number.POSITIVE_INFINITY].map((retryAfterS) =>
    retryDelayMs(retryAfterS, () => 0),
  );
  expect(delays).toEqual([2000, 2000, 2000, 2000]);
  expect(retryDelayMs(86_400, () => 0.999)).toBeLessThan(90_000);
});
