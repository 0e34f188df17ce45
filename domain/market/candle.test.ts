import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { candleSchema, isWellFormed } from './candle.ts';

const figure = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 5 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e15, 1e18, 1e-9) },
);
const time = fc.oneof(
  { weight: 6, arbitrary: fc.nat({ max: 1e8 }).map((minute) => minute * 60) },
  { weight: 1, arbitrary: fc.constantFrom(-60, 30, 60.5, Number.NaN, 1e11, 1e11 - 40, 2 ** 60) },
);

test('agrees with the schema in the fast check', () => {
  const candle = fc.record({ time, open: figure, high: figure, low: figure, close: figure, volume: fc.option(figure) });
  let good = 0;
  fc.assert(
    fc.property(candle, ({ volume, ...rest }) => {
      const candle = volume === null ? rest : { ...rest, volume };
      const isGood = candleSchema.safeParse(candle).success;
      good += isGood ? 1 : 0;

      expect(isWellFormed(candle)).toBe(isGood);
    }),
    { numRuns: 5000 },
  );
  expect(good).toBeGreaterThan(100);
});
