import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fromExchangeWallS,
  isInWeek,
  isOpen,
  lastOpenMinute,
  nextOpen,
  sessionStart,
  toExchangeWallS,
} from './trading-hours.ts';

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
  ['nasdaq', 'on Thanksgiving', '2026-11-26T15:00:00Z', false],
  ['nasdaq', 'before one o’clock on the day after it', '2026-11-27T17:59:00Z', true],
  ['nasdaq', 'at one o’clock on the day after it', '2026-11-27T18:00:00Z', false],
  ['nasdaq', 'on 3 July that keeps a Saturday’s holiday', '2026-07-03T15:00:00Z', false],
  ['nasdaq', 'on the afternoon of a short 3 July', '2028-07-03T18:00:00Z', false],
  ['nasdaq', 'on a New Year’s Eve whose holiday is a Saturday', '2027-12-31T20:00:00Z', true],
  ['nasdaq', 'on a day of mourning', '2025-01-09T15:00:00Z', false],
  ['nasdaq', 'on 19 June before it was a holiday', '2020-06-19T15:00:00Z', true],
  ['comex', 'on the evening before Good Friday', '2026-04-02T23:00:00Z', false],
  ['comex', 'on the evening before Thanksgiving', '2026-11-25T23:00:00Z', true],
  ['comex', 'before the halt of Thanksgiving', '2026-11-26T19:29:00Z', true],
  ['comex', 'after the halt of Thanksgiving', '2026-11-26T19:30:00Z', false],
  ['comex', 'on the evening of Thanksgiving', '2026-11-26T23:00:00Z', true],
  ['nymex', 'on the evening of Christmas Eve', '2026-12-24T23:00:00Z', false],
  ['nymex', 'on the evening of a Thursday’s New Year’s Day', '2026-01-01T23:00:00Z', true],
  ['ice-us', 'on the afternoon of Labor Day', '2026-09-07T17:00:00Z', false],
] as const)('opens or closes %s %s', (hours, _when, iso, expected) => {
  expect(isOpen(hours, s(iso))).toBe(expected);
});

test.each([
  ['a weekend', 'nasdaq', '2026-11-21T12:00:00Z', '2026-11-20T20:59:00Z', '2026-11-23T14:30:00Z'],
  ['the spring change', 'nasdaq', '2026-03-08T12:00:00Z', '2026-03-06T20:59:00Z', '2026-03-09T13:30:00Z'],
  ['the autumn change', 'comex', '2026-11-01T12:00:00Z', '2026-10-30T20:59:00Z', '2026-11-01T23:00:00Z'],
  ['a holiday', 'nasdaq', '2026-11-26T17:00:00Z', '2026-11-25T20:59:00Z', '2026-11-27T14:30:00Z'],
  ['a short day', 'nasdaq', '2026-11-27T19:00:00Z', '2026-11-27T17:59:00Z', '2026-11-30T14:30:00Z'],
  ['Easter', 'comex', '2026-04-04T12:00:00Z', '2026-04-02T20:59:00Z', '2026-04-05T22:00:00Z'],
  ['Christmas on a Friday', 'nymex', '2026-12-25T12:00:00Z', '2026-12-24T18:44:00Z', '2026-12-27T23:00:00Z'],
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

test('returns this minute as the last open one within a session', () => {
  expect(lastOpenMinute('nasdaq', s('2026-11-20T15:00:42Z'))).toBe(s('2026-11-20T15:00:00Z'));
  expect(nextOpen('nasdaq', s('2026-11-20T15:00:00Z'))).toBe(s('2026-11-20T15:00:00Z'));
});

test('has open edges, and only closed minutes between the last open one and now', () => {
  const hours = fc.constantFrom('nasdaq', 'comex', 'nymex', 'ice-us', 'always' as const);
  const epochS = fc.integer({ min: s('2023-01-01T00:00:00Z'), max: s('2028-01-01T00:00:00Z') });

  fc.assert(
    fc.property(hours, epochS, fc.double({ min: 0, max: 1, noNaN: true }), (id, nowS, share) => {
      const last = lastOpenMinute(id, nowS);
      const next = nextOpen(id, nowS);

      expect(isOpen(id, last) && isOpen(id, next)).toBe(true);
      expect(last).toBeLessThanOrEqual(nowS);
      expect(next).toBeGreaterThanOrEqual(nowS);
      const between = [0, share, 1].map((part) => last + 60 + Math.floor(part * (next - 1 - (last + 60))));
      if (!isOpen(id, nowS)) expect(between.some((timeS) => isOpen(id, timeS))).toBe(false);
      if (isOpen(id, nowS)) expect(isInWeek(id, nowS)).toBe(true);
      expect(fromExchangeWallS(id, toExchangeWallS(id, last))).toBe(last);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['nasdaq', 'its opening', '2026-11-20T14:30:00Z', '2026-11-20T14:30:00Z'],
  ['nasdaq', 'its last minute', '2026-11-20T20:59:59Z', '2026-11-20T14:30:00Z'],
  ['nasdaq', 'the night', '2026-11-20T21:00:00Z', null],
  ['comex', 'a Monday', '2026-11-23T15:00:00Z', '2026-11-22T23:00:00Z'],
  ['always', 'a Sunday', '2026-11-22T15:00:00Z', null],
] as const)('finds the start of the session of %s at %s', (hours, _when, at, expected) => {
  expect(sessionStart(hours, s(at))).toBe(expected && s(expected));
});

/** Full closures and early closes, as the exchanges published them. */
test.each([
  [2024, '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', '07-03 11-29 12-24'],
  [2025, '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
  [2026, '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', '11-27 12-24'],
  [2027, '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', '11-26'],
  [2028, '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25', '07-03 11-24'],
])('shares rest on the published days of %d', (year, closed, early) => {
  const seen: { closed: string[]; early: string[] } = { closed: [], early: [] };
  for (let dayS = s(`${year}-01-01T00:00:00Z`); dayS < s(`${year + 1}-01-01T00:00:00Z`); dayS += 86_400) {
    const at = (minute: number): number => fromExchangeWallS('nasdaq', dayS + minute * 60);
    if (!isInWeek('nasdaq', at(600)) || isOpen('nasdaq', at(959))) continue;
    const date = new Date(dayS * 1000).toISOString().slice(5, 10);
    seen[isOpen('nasdaq', at(600)) ? 'early' : 'closed'].push(date);
    expect(isOpen('nasdaq', at(779))).toBe(isOpen('nasdaq', at(600)));
    expect(isOpen('nasdaq', at(780))).toBe(false);
  }

  expect(seen).toEqual({ closed: closed.split(' '), early: early.split(' ') });
});
