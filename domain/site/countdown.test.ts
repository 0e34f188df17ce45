import { expect, test } from 'vitest';
import { COUNTDOWN_TARGET_MS, countdownAt, spokenCountdown } from './countdown.ts';

const TARGET = Date.parse('2025-08-01T00:00:00Z');

test.each([
  ['a year before', '2024-08-01T00:00:00Z', [365, 0, 0, 0], false],
  ['a day, an hour, a minute and a second before', '2025-07-30T22:58:59Z', [1, 1, 1, 1], false],
  ['half a second before', '2025-07-31T23:59:59.500Z', [0, 0, 0, 1], false],
  ['a millisecond before', '2025-07-31T23:59:59.999Z', [0, 0, 0, 1], false],
  ['at the very moment', '2025-08-01T00:00:00Z', [0, 0, 0, 0], true],
  ['long after', '2026-11-22T12:00:00Z', [0, 0, 0, 0], true],
])('counts down: %s', (_when, now, [days, hours, minutes, seconds], isDone) => {
  expect(countdownAt(Date.parse(now))).toEqual({ days, hours, minutes, seconds, isDone });
});

test('has the specified moment as its target', () => {
  expect(COUNTDOWN_TARGET_MS).toBe(TARGET);
});

test('reads out the time left without seconds, one of a kind in the singular', () => {
  expect(spokenCountdown(countdownAt(TARGET - (86_400 + 2 * 3600 + 60 + 7) * 1000))).toBe(
    '1 day, 2 hours and 1 minute',
  );
  expect(spokenCountdown(countdownAt(TARGET - 5000))).toBe('0 days, 0 hours and 0 minutes');
});
