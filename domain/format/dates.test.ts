import { expect, test } from 'vitest';
import { spellDates } from './dates.ts';

test.each([
  ['before 2025-01-01, less 7 days', 'before 1 Jan 2025, less 7 days'],
  ['2025-03-01 to 2025-04-01 (BTC)', '1 Mar 2025 to 1 Apr 2025 (BTC)'],
  ['May 2025', 'May 2025'],
  ['2025-02-30 and 2025-13-01', '2025-02-30 and 2025-13-01'],
  ['', ''],
])('writes %j as %j', (text, shown) => {
  expect(spellDates(text)).toBe(shown);
});
