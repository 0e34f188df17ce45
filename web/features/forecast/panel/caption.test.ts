import { expect, test } from 'vitest';
import { closeTimeLabel } from './caption.tsx';

/** In Berlin, in winter. */
const at = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour - 1, minute);

test.each([
  ['today', at(6, 21), at(6, 21, 4), '21:00'],
  ['at the turn of the day', at(7, 0), at(7, 0, 1), '00:00'],
  ['a minute before it', at(6, 23, 59), at(7, 0, 1), 'Fri 23:59'],
  ['on Friday, seen on Sunday', at(6, 21), at(8, 9), 'Fri 21:00'],
  ['six days ago', at(6, 21), at(12, 1), 'Fri 21:00'],
  ['a week ago', at(6, 21), at(13, 23), '6 Nov, 21:00'],
  ['by a clock that is ahead of this one', at(7, 0, 1), at(6, 23, 59), '00:01'],
])('captions a market that closed %s', (_when, closedAtMs, nowMs, caption) => {
  expect(closeTimeLabel(closedAtMs / 1000, nowMs, 'Europe/Berlin')).toBe(caption);
});

test('counts a day of twenty-three hours as a day', () => {
  const closedAt = Date.parse('2026-03-28T22:30:00Z');

  expect(closeTimeLabel(closedAt / 1000, Date.parse('2026-03-29T00:10:00Z'), 'Europe/Berlin')).toBe('Sat 23:30');
  expect(closeTimeLabel(closedAt / 1000, Date.parse('2026-03-29T21:50:00Z'), 'Europe/Berlin')).toBe('Sat 23:30');
  expect(closeTimeLabel(closedAt / 1000, Date.parse('2026-03-29T21:50:00Z'), 'UTC')).toBe('Sat 22:30');
});
