import { expect, test } from 'vitest';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/models/manifest.ts';
import { normalDraw, seededRandom } from '../../server/forecast/paths/random.ts';
import { empiricalTable, normalTable } from './quantile-tables.ts';

test('has the textbook quantiles in the normal table', () => {
  const [row = []] = normalTable();

  expect(row[UPPER_LEVELS.indexOf(0.9)]).toBeCloseTo(1.281552, 5);
  expect(row[UPPER_LEVELS.indexOf(0.975)]).toBeCloseTo(1.959964, 5);
  expect(row[UPPER_LEVELS.indexOf(0.995)]).toBeCloseTo(2.575829, 5);
});

test('matches the normal table with the empirical one of normal moves, whatever their sign', () => {
  const random = seededRandom('moves');
  const moves = Array.from({ length: 4000 }, () =>
    Float64Array.from({ length: HORIZON_BARS }, () => Math.abs(normalDraw(random))),
  );

  const table = empiricalTable(moves);

  const normal = normalTable();
  for (const h of [0, 24, 49]) {
    for (const [level, quantile] of (table[h] ?? []).entries()) {
      expect(Math.abs(quantile - (normal[h]?.[level] ?? 0))).toBeLessThan(0.09);
    }
  }
});
