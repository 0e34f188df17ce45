import { expect, test } from 'vitest';
import {
  dayOf,
  dayOfIso,
  easterSunday,
  isoOfDay,
  lastWeekday,
  nthWeekday,
  weekdayOf,
  yearOfDay,
} from './calendar-day.ts';

test.each([
  [1961, '1961-04-02'],
  [2000, '2000-04-23'],
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2038, '2038-04-25'],
  [2285, '2285-03-22'],
])('computes Easter of %d', (year, expected) => {
  expect(isoOfDay(easterSunday(year))).toBe(expected);
});

test.each([
  ['the fourth Thursday of November 2026', nthWeekday(2026, 11, 4, 4), '2026-11-26'],
  ['the first Monday of a month that begins with it', nthWeekday(2026, 6, 1, 1), '2026-06-01'],
  ['the last Monday of May 2026', lastWeekday(2026, 5, 1), '2026-05-25'],
  ['the last Monday of a month that ends with it', lastWeekday(2026, 8, 1), '2026-08-31'],
  ['the last Sunday of December', lastWeekday(2026, 12, 0), '2026-12-27'],
])('computes %s', (_what, day, expected) => {
  expect(isoOfDay(day)).toBe(expected);
});

test('agrees on days, weekdays and years on both sides of 1970', () => {
  expect(dayOf(1970, 1, 1)).toBe(0);
  expect(dayOfIso('1969-12-31')).toBe(-1);
  expect([-1, 0, 3].map(weekdayOf)).toEqual([3, 4, 0]);
  expect(yearOfDay(-1)).toBe(1969);
});

test.each(['2026-02-29', '2026-00-10', '2026-2-1', 'x', ''])('rejects %j as a date', (text) => {
  expect(() => dayOfIso(text)).toThrow(RangeError);
});
