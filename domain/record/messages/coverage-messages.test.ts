import { expect, test } from 'vitest';
import { coverageLabel } from './coverage-messages.ts';

test.each([
  [50, 50, '50 of 50 closes inside 80%'],
  [1, 50, '1 of 50 closes inside 80%'],
  [41, 43, '41 of 50 closes inside 80%, 7 outside 95%'],
  [40, 49, '40 of 50 closes inside 80%, 1 outside 95%'],
])('counts %i closes inside 80%% and %i inside 95%% in a few words', (within80, within95, label) => {
  expect(coverageLabel({ bars: 50, within80, within95 })).toBe(label);
});
