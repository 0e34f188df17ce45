import { expect, test } from 'vitest';
import { planWithModel } from './plans.ts';

test('a model is sold with the cheapest plan that has it', () => {
  expect(planWithModel('bobcat')).toBe('bobcat');
  expect(planWithModel('panther')).toBe('lion');
});
