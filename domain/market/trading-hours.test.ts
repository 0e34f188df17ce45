import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromExchangeWallS, isOpen, lastOpenMinute, nextOpen, toExchangeWallS } from './trading-hours.ts';

const s = (iso: string): number => Date.parse(iso) / 1000;

test.each([
  ['nasdaq', 'just before the winter opening', '2026-11-20T14:29:59Z', false],
  ['nasdaq', 'at the winter opening', '2026-11-20T14:30:00Z', true],
  ['nasdaq', 'in the last minute', '2026-11-20T20:59:59Z', true],
  ['nasdaq', 'at the close', '2026-11-20T21:00:00Z', false],
  ['nasdaq', 'on Saturday', '2026-11-21T15:00:00Z', false],
  ['nasdaq', 'at the summer opening', '2026-07-15T13:30:00Z', true],
  ['nasdaq', 'on Friday before clocks go forward', '2026-03-06T14:29:00Z', false],
  ['nasdaq', 'on Monday after clocks went forward', '2026-03-09T13:30:00Z', true],
  ['nasdaq', 'on Friday before clocks go back', '2026-10-30T13:30:00Z', true],
  ['nasdaq', 'on Monday after clocks went back', '2026-11-02T13:30:00Z', false],
  ['comex', 'before Sunday evening', '2026-11-22T22:59:00Z', false],
  ['comex', 'on Sunday evening', '2026-11-22T23:00:00Z', true],
  ['comex', 'in the daily break', '2026-11-23T22:30:00Z', false],
  ['comex', 'after the daily break', '2026-11-23T23:00:00Z', true],
  ['comex', 'after Friday 17:00', '2026-11-20T22:00:00Z', false],
  ['nymex', 'on Sunday of the spring change', '2026-03-08T22:00:00Z', true],
  ['nymex', 'on Sunday of the autumn change, an hour early', '2026-11-01T22:00:00Z', false],
  ['nymex', 'on Sunday of the autumn change', '2026-11-01T23:00:00Z', true],
  ['ice-us', 'on Sunday at 18:00', '2026-11-22T23:00:00Z', true],
  ['ice-us', 'on Monday at 18:00', '2026-11-23T23:00:00Z', false],
  ['ice-us', 'on Monday at 20:00', '2026-11-24T01:00:00Z', true],
  ['always', 'on Saturday', '2026-11-21T15:00:00Z', true],
] as const)('%s %s', (hours, _when, iso, expected) => {
  expect(isOpen(hours, s(iso))).toBe(expected);
});

test.each([
  ['a weekend', 'nasdaq', '2026-11-21T12:00:00Z', '2026-11-20T20:59:00Z', '2026-11-23T14:30:00Z'],
  ['the spring change', 'nasdaq', '2026-03-08T12:00:00Z', '2026-03-06T20:59:00Z', '2026-03-09T13:30:00Z'],
  ['the autumn change', 'comex', '2026-11-01T12:00:00Z', '2026-10-30T20:59:00Z', '2026-11-01T23:00:00Z'],
  [
    'the evening gap of the dollar index',
    'ice-us',
    '2026-11-23T23:30:10Z',
    '2026-11-23T21:59:00Z',
    '2026-11-24T01:00:00Z',
  ],
] as const)('finds both edges of %s', (_what, hours, now, last, next) => {
  expect(lastOpenMinute(hours, s(now))).toBe(s(last));
  expect(nextOpen(hours, s(now))).toBe(s(next));
});

test('inside a session the last open minute is this one', () => {
  expect(lastOpenMinute('nasdaq', s('2026-11-20T15:00:42Z'))).toBe(s('2026-11-20T15:00:00Z'));
  expect(nextOpen('nasdaq', s('2026-11-20T15:00:00Z'))).toBe(s('2026-11-20T15:00:00Z'));
});

test('edges are open, and everything between the last open minute and now is closed', () => {
  const hours = fc.constantFrom('nasdaq', 'comex', 'nymex', 'ice-us', 'always' as const);
  const epochS = fc.integer({ min: s('2023-01-01T00:00:00Z'), max: s('2028-01-01T00:00:00Z') });

  fc.assert(
    fc.property(hours, epochS, (id, nowS) => {
      const last = lastOpenMinute(id, nowS);
      const next = nextOpen(id, nowS);

      expect(isOpen(id, last) && isOpen(id, next)).toBe(true);
      expect(last).toBeLessThanOrEqual(nowS);
      expect(next).toBeGreaterThanOrEqual(nowS);
      if (!isOpen(id, nowS)) expect(isOpen(id, last + 60) || isOpen(id, next - 60)).toBe(false);
      expect(fromExchangeWallS(id, toExchangeWallS(id, last))).toBe(last);
    }),
    { numRuns: 500 },
  );
});
