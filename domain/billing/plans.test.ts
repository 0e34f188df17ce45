import { expect, test } from 'vitest';
import { PLANS, planWithModel } from './plans.ts';

test('sells what the specification lists', () => {
  const sold = Object.entries(PLANS).map(([plan, { priceCents, perDay, perMonth, models }]) => {
    return [plan, priceCents, perDay, perMonth, models];
  });

  expect(sold).toEqual([
    ['free', 0, 0, 0, []],
    ['bobcat', 2999, 10, 60, ['bobcat']],
    ['lion', 6999, 15, 300, ['bobcat', 'panther', 'lion']],
  ]);
});

test('sells a model with the cheapest plan that has it', () => {
  expect(planWithModel('bobcat')).toBe('bobcat');
  expect(planWithModel('panther')).toBe('lion');
});
