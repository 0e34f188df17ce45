import { expect, test } from 'vitest';
import { minutesText } from './minutes-text.ts';

test.each([
  [1, '1 min'],
  [59, '59 min'],
  [60, '1 h'],
  [1050, '17 h 30 min'],
  [1439, '23 h 59 min'],
  [1440, '1 d'],
  [2 * 1440 + 17 * 60 + 30, '2 d 17 h'],
])('writes %i minutes in their two largest units: %s', (minutes, text) => {
  expect(minutesText(minutes)).toBe(text);
});
