import { expect, test } from 'vitest';
import { toEpochMs } from './epoch.ts';

test.each([
  ['seconds', 1_999_999_999, 1_999_999_999_000],
  ['milliseconds', 2_000_000_000, 2_000_000_000],
  ['seconds as text', ' 1763600000.5 ', 1_763_600_000_500],
  ['an ISO text', '2026-11-20T15:25:00+01:00', Date.UTC(2026, 10, 20, 14, 25)],
])('reads %s', (_what, value, ms) => {
  expect(toEpochMs(value)).toBe(ms);
});

// JSON.parse reads 1e999 as Infinity.
test.each([[JSON.parse('1e999')], [''], ['   '], ['tomorrow'], ['Infinity'], [null], [undefined], [true], [{}]])(
  'reads no time from %j',
  (value) => {
    expect(toEpochMs(value)).toBeNull();
  },
);
