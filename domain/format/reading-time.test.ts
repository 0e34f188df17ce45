import { expect, test } from 'vitest';
import { minuteText } from './reading-time.ts';

test.each([
  ['2026-10-23T06:08:00.000Z', '23 Oct 2026, 06:08 UTC'],
  ['2026-09-03T23:59:59.999Z', '3 Sep 2026, 23:59 UTC'],
  ['2027-01-01T00:00:00.000Z', '1 Jan 2027, 00:00 UTC'],
])('writes %s as %s', (iso, text) => {
  expect(minuteText(Date.parse(iso))).toBe(text);
});

test('rejects an invalid date', () => {
  expect(() => minuteText(Number.NaN)).toThrow(RangeError);
});
