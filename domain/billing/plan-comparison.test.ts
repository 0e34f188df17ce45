import { expect, test } from 'vitest';
import { comparePlans } from './plan-comparison.ts';
import { PLANS } from './plans.ts';

const rowOf = (what: string) => comparePlans().find((row) => row.what === what);

test('compares the plans by the limits and models that they sell', () => {
  const { bobcat, lion } = PLANS;
  expect(rowOf('Predictions of your own')).toMatchObject({
    free: 'None',
    bobcat: `${bobcat.perDay} a day, ${bobcat.perMonth} a month`,
    lion: `${lion.perDay} a day, ${lion.perMonth} a month`,
  });
  expect(rowOf('Models')).toMatchObject({ bobcat: 'Bobcat', lion: 'Bobcat, Panther and Lion' });
  expect(rowOf('Candles')).toMatchObject({ free: '1 minute', lion: '1, 5 and 15 minutes' });
});

test('has a text in each cell, and one row for each subject', () => {
  const rows = comparePlans();
  for (const { what, free, bobcat, lion } of rows) expect([what, free, bobcat, lion]).not.toContain('');
  expect(new Set(rows.map(({ what }) => what)).size).toBe(rows.length);
});
