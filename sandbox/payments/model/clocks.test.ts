import { expect, test } from 'vitest';
import { monthsAfter } from './clocks.ts';

const at = (iso: string) => Date.parse(iso) / 1000;

test.each([
  ['2026-01-31T10:20:30Z', 1, '2026-02-28T10:20:30Z'],
  ['2026-01-31T10:20:30Z', 2, '2026-03-31T10:20:30Z'],
  ['2026-01-31T10:20:30Z', 3, '2026-04-30T10:20:30Z'],
  ['2028-01-31T00:00:00Z', 1, '2028-02-29T00:00:00Z'],
  ['2026-12-15T23:59:59Z', 1, '2027-01-15T23:59:59Z'],
  ['2026-03-01T00:00:00Z', 0, '2026-03-01T00:00:00Z'],
])('computes %s and %i months as %s', (anchor, months, expected) => {
  expect(monthsAfter(at(anchor), months)).toBe(at(expected));
});
