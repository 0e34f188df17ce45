import { expect, test } from 'vitest';
import { relativeTime, waitText } from './relative-time.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test.each([
  [0, '0s ago', '0m ago'],
  [59_999, '59s ago', '0m ago'],
  [60_000, '1m ago', '1m ago'],
  [3_599_999, '59m ago', '59m ago'],
  [3_600_000, '1h ago', '1h ago'],
  [86_399_999, '23h ago', '23h ago'],
  [86_400_000, '1d ago', '1d ago'],
  [400 * 86_400_000, '400d ago', '400d ago'],
  [-5000, '0s ago', '0m ago'],
])('writes %d ms ago as %s, and as %s without seconds', (ageMs, withSeconds, withMinutes) => {
  expect(relativeTime(NOW - ageMs, NOW)).toBe(withSeconds);
  expect(relativeTime(NOW - ageMs, NOW, 'm')).toBe(withMinutes);
});

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
