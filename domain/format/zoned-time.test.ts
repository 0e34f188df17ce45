import { expect, test } from 'vitest';
import {
  isKnownZone,
  zonedClock,
  zonedDate,
  zonedDay,
  zonedMinute,
  zonedMoment,
  zonedNamedDay,
  zonedRecent,
  zonedSecond,
  zonedShortDay,
  zonedWeekday,
  zoneName,
} from './zoned-time.ts';

const at = (iso: string) => Date.parse(iso);

/** The clock changes of 2026: the last minute before and the first after, with one hour on both sides. */
test.each([
  // An hour is missing: 02:00 to 03:00 on 29 March.
  ['Europe/Berlin', '2026-03-29T00:59:00Z', '29 Mar 2026, 01:59 GMT+1'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '29 Mar 2026, 03:00 GMT+2'],
  // An hour comes twice, and is told apart: 02:00 to 03:00 on 25 October.
  ['Europe/Berlin', '2026-10-25T00:30:00Z', '25 Oct 2026, 02:30 GMT+2'],
  ['Europe/Berlin', '2026-10-25T01:30:00Z', '25 Oct 2026, 02:30 GMT+1'],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', '25 Oct 2026, 03:00 GMT+1'],
  ['America/New_York', '2026-03-08T06:59:00Z', '8 Mar 2026, 01:59 EST'],
  ['America/New_York', '2026-03-08T07:00:00Z', '8 Mar 2026, 03:00 EDT'],
  ['America/New_York', '2026-11-01T05:30:00Z', '1 Nov 2026, 01:30 EDT'],
  ['America/New_York', '2026-11-01T06:30:00Z', '1 Nov 2026, 01:30 EST'],
  // Half an hour comes twice (5 April) and is missing (4 October); that change falls on half past by UTC.
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '5 Apr 2026, 01:45 GMT+11'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', '5 Apr 2026, 01:45 GMT+10:30'],
  ['Australia/Lord_Howe', '2026-10-03T15:29:00Z', '4 Oct 2026, 01:59 GMT+10:30'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '4 Oct 2026, 02:30 GMT+11'],
  // Three quarters of an hour, and the clocks change at 03:45 and 02:45.
  ['Pacific/Chatham', '2026-04-04T13:59:00Z', '5 Apr 2026, 03:44 GMT+13:45'],
  ['Pacific/Chatham', '2026-04-04T14:00:00Z', '5 Apr 2026, 02:45 GMT+12:45'],
  ['Pacific/Chatham', '2026-09-26T13:59:00Z', '27 Sep 2026, 02:44 GMT+12:45'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z', '27 Sep 2026, 03:45 GMT+13:45'],
  // No change at all.
  ['Asia/Kolkata', '2026-03-29T01:00:00Z', '29 Mar 2026, 06:30 GMT+5:30'],
  ['Asia/Kolkata', '2026-10-25T01:30:00Z', '25 Oct 2026, 07:00 GMT+5:30'],
  ['UTC', '2026-10-25T01:30:00Z', '25 Oct 2026, 01:30 UTC'],
])('writes in %s the time %s as %s', (zone, iso, shown) => {
  expect(zonedMinute(at(iso), zone)).toBe(shown);
});

test('writes times of a whole year as the machine itself does, in each zone', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Kolkata']) {
    const own = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    for (let ms = at('2026-01-01T00:00:00Z'); ms < at('2027-01-01T00:00:00Z'); ms += 5_400_000)
      expect(`${zonedDate(ms, zone)}, ${zonedClock(ms, zone)}`).toBe(own.format(ms));
  }
});

test('takes day, weekday and clock from the zone, not from UTC', () => {
  const newYear = at('2026-12-31T11:30:59.900Z');

  expect(zonedDay(newYear, 'Pacific/Auckland')).toBe('1 Jan 2027');
  expect(zonedShortDay(newYear, 'Pacific/Auckland')).toBe('1 Jan');
  expect(zonedDate(newYear, 'Pacific/Auckland')).toBe('2027-01-01');
  expect(zonedWeekday(newYear, 'Pacific/Auckland')).toBe('Fri');
  expect(zonedNamedDay(newYear, 'Pacific/Auckland')).toBe('Fri, 1 Jan');
  expect(zonedWeekday(newYear, 'UTC')).toBe('Thu');
  expect(zonedClock(newYear, 'Pacific/Auckland')).toBe('00:30');
  expect(zonedClock(newYear, 'Pacific/Auckland', true)).toBe('00:30:59');
  expect(zonedSecond(newYear, 'Asia/Kolkata')).toBe('31 Dec 2026, 17:00:59 GMT+5:30');
});

test.each([
  ['a day before', '2026-10-24T00:30:00Z', '02:30'],
  ['in the doubled hour, first', '2026-10-25T00:30:00Z', '02:30 GMT+2'],
  ['in the doubled hour, again', '2026-10-25T01:30:00Z', '02:30 GMT+1'],
  ['hours later', '2026-10-25T06:30:00Z', '07:30'],
])('names the zone only near a clock change: %s', (_when, iso, shown) => {
  expect(zonedMoment(at(iso), 'Europe/Berlin')).toBe(shown);
});

test.each([
  ['today', '2026-11-06T20:00:00Z', '2026-11-06T20:04:00Z', '21:00'],
  ['at the turn of the day', '2026-11-06T23:00:00Z', '2026-11-06T23:01:00Z', '00:00'],
  ['a minute before it', '2026-11-06T22:59:00Z', '2026-11-06T23:01:00Z', '6 Nov, 23:59'],
  ['by a clock that is ahead of this one', '2026-11-06T23:01:00Z', '2026-11-06T22:59:00Z', '7 Nov, 00:01'],
  ['two days ago', '2026-11-06T20:00:00Z', '2026-11-08T08:00:00Z', '6 Nov, 21:00'],
  ['last year', '2025-12-31T20:00:00Z', '2026-01-01T08:00:00Z', '31 Dec 2025, 21:00'],
  ['in the doubled hour', '2026-10-25T00:30:00Z', '2026-10-26T08:00:00Z', '25 Oct, 02:30 GMT+2'],
])('writes a recent time as short as it is clear: %s', (_when, iso, nowIso, shown) => {
  expect(zonedRecent(at(iso), at(nowIso), 'Europe/Berlin')).toBe(shown);
});

test('recognizes an unknown zone, and writes no time in it', () => {
  expect(isKnownZone('Europe/Berlin')).toBe(true);
  expect(isKnownZone('Mars/Phobos')).toBe(false);
  expect(isKnownZone('')).toBe(false);
  expect(() => zonedMinute(0, 'Mars/Phobos')).toThrow(RangeError);
  expect(() => zoneName(0, 'Mars/Phobos')).toThrow(RangeError);
});

test('rejects an invalid moment', () => {
  expect(() => zonedDay(Number.NaN, 'UTC')).toThrow(RangeError);
  expect(() => zonedDate(Number.NaN, 'UTC')).toThrow(RangeError);
});

test('refuses the last hours of the last date in a zone ahead of UTC, whose clock is beyond it', () => {
  expect(() => zonedMinute(8.64e15 - 3_600_000, 'Asia/Tokyo')).toThrow(RangeError);
});
