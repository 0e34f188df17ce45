import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceGrid } from './price-grid.ts';

test.each([0.1, 0.01, 0.001, 0.00001, 1e-11, 1e-14, 0.005, 0.25, 5])(
  'leaves prices on a tick of %d unchanged',
  (tick) => {
    const grid = priceGrid(tick);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (ticks) => {
        const price = grid.nearest(ticks * tick);

        expect([grid.nearest(price), grid.down(price), grid.up(price)]).toEqual([price, price, price]);
        expect(price).toBe(Number(price.toPrecision(15)));
      }),
    );
  },
);

test('rounds down and up to the enclosing ticks, and never below one tick', () => {
  const grid = priceGrid(0.01);

  expect([grid.down(10.019), grid.up(10.011)]).toEqual([10.01, 10.02]);
  expect([grid.nearest(0.0001), grid.down(0.0001)]).toEqual([0.01, 0.01]);
});
