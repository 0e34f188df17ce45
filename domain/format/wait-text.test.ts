import { expect, test } from 'vitest';
import { waitText } from './wait-text.ts';

const MINUTE_MS = 60_000;

test.each([
  [0, '1 min'],
  [1, '1 min'],
  [41 * MINUTE_MS + 1, '42 min'],
  [60 * MINUTE_MS, '1 h'],
  [312 * MINUTE_MS, '5 h 12 min'],
  [24 * 60 * MINUTE_MS, '1 d'],
  [(24 + 18) * 60 * MINUTE_MS + MINUTE_MS, '1 d 18 h'],
])('writes %d ms as %s', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});
