import { expect, test } from 'vitest';
import { closeTimeLabel } from './close-time.ts';

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

test.each([
  ['today', at(6, 21), at(6, 21, 4), '21:00'],
  ['at the turn of the day', at(7, 0), at(7, 0, 1), '00:00'],
  ['a minute before it', at(6, 23, 59), at(7, 0, 1), 'Fri 23:59'],
  ['on Friday, seen on Sunday', at(6, 21), at(8, 9), 'Fri 21:00'],
  ['six days ago', at(6, 21), at(12, 1), 'Fri 21:00'],
  ['a week ago', at(6, 21), at(13, 23), 'Nov 6, 21:00'],
  ['by a clock that is ahead of this one', at(7, 0, 1), at(6, 23, 59), '00:01'],
])('a market that closed %s', (_when, closedAtMs, nowMs, words) => {
  expect(closeTimeLabel(closedAtMs / 1000, nowMs)).toBe(words);
});
