import { expect, test } from 'vitest';
import { normalDraw, seededRandom } from '../../../server/forecast/paths/random.ts';
import { leastSquares } from './least-squares.ts';

test('finds the coefficients that made the data, and holds a closed column at 0', () => {
  const random = seededRandom('least-squares');
  const rows = Array.from({ length: 5000 }, () => {
    const x = Float64Array.of(1, normalDraw(random), normalDraw(random));
    return { x, y: 2 - 0.5 * (x[1] ?? 0) + 0.1 * normalDraw(random), weight: 1 };
  });

  const all = leastSquares(rows, 3);
  const closed = leastSquares(rows, 3, { isFree: (column) => column !== 1 });

  expect(all[0]).toBeCloseTo(2, 2);
  expect(all[1]).toBeCloseTo(-0.5, 2);
  expect(all[2]).toBeCloseTo(0, 2);
  expect(closed[1]).toBe(0);
});

test('counts a row of weight 3 like three rows', () => {
  const row = (x: number, y: number, weight: number) => ({ x: Float64Array.of(1, x), y, weight });

  const weighted = leastSquares([row(0, 1, 3), row(1, 5, 1), row(1, 2, 1)], 2);
  const repeated = leastSquares([row(0, 1, 1), row(0, 1, 1), row(0, 1, 1), row(1, 5, 1), row(1, 2, 1)], 2);

  expect(weighted[0]).toBeCloseTo(repeated[0] ?? 0, 10);
  expect(weighted[1]).toBeCloseTo(repeated[1] ?? 0, 10);
});
