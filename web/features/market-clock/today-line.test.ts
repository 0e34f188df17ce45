import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { todayLine } from './today-line.ts';

const DAY_MS = 86_400_000;
const at = (iso: string): number => Date.parse(iso);
const textsOf = (events: readonly CalendarEvent[], now: string, zone = 'UTC') =>
  todayLine(events, at(now), zone).map(({ text }) => text);

const holiday = (country: string, date: string, title = 'Bank Holiday'): CalendarEvent => ({
  isHoliday: true,
  country,
  date,
  title,
});
const announced = (time: string, change: Partial<CalendarEvent> = {}): CalendarEvent => ({
  isHoliday: false,
  country: 'USD',
  title: 'CPI m/m',
  date: time.slice(0, 10),
  time,
  impact: 'High',
  ...change,
});

const THANKSGIVING = holiday('USD', '2026-11-26', 'Thanksgiving Day');

test('names the next session, the next announcement of the day and the next holiday', () => {
  const events = [THANKSGIVING, announced('2026-11-25T13:30:00-05:00')];

  expect(todayLine(events, at('2026-11-25T16:18:00Z'), 'Europe/Berlin')).toEqual([
    { kind: 'session', text: 'London closes in 42 min', exact: 'London closes Wed 18:00' },
    { kind: 'announcement', text: 'US CPI m/m in 2 h 12 min', exact: 'US CPI m/m at 19:30' },
    { kind: 'holiday', text: 'US holiday tomorrow', exact: 'Thu, 26 Nov: USD Thanksgiving Day' },
  ]);
});

test.each([
  ['opens a session', '2026-11-25T07:59:30Z', 'London opens in 1 min'],
  ['names two sessions of one moment', '2026-07-15T20:18:00Z', 'New York closes and Sydney opens in 42 min'],
  ['names the time of a far one', '2026-11-27T22:30:00Z', 'Sydney opens Sun 20:00 (in 1 d 21 h)'],
  ['counts the weekend', '2026-11-28T17:00:00Z', 'Sydney opens Sun 20:00 (in 1 d 3 h)'],
  ['follows New York into summer time', '2026-03-09T11:18:00Z', 'New York opens in 42 min'],
  ['follows London into summer time', '2026-03-30T06:18:00Z', 'London opens in 42 min'],
  ['follows New York out of summer time', '2026-11-02T12:18:00Z', 'New York opens in 42 min'],
])('%s', (_what, now, text) => {
  expect(textsOf([], now)).toEqual([text]);
});

test('shows far times on the viewer’s clock', () => {
  expect(textsOf([], '2026-11-28T12:00:00Z', 'Australia/Sydney')).toEqual(['Sydney opens Mon 07:00 (in 1 d 8 h)']);
});

test('opens no session on its holiday', () => {
  expect(textsOf([THANKSGIVING], '2026-11-26T12:00:00Z')).toEqual(['London closes in 5 h', 'US holiday today']);
});

test.each([
  ['2026-11-20T17:30:00Z', 'US holiday Thu'],
  ['2026-11-25T17:30:00Z', 'US holiday tomorrow'],
  ['2026-11-26T17:30:00Z', 'US holiday today'],
])('names at %s the day of the holiday', (now, text) => {
  expect(textsOf([THANKSGIVING], now).at(-1)).toBe(text);
});

test('names no holiday that is over, or more than six days away', () => {
  expect(textsOf([THANKSGIVING], '2026-11-19T17:30:00Z')).toHaveLength(1);
  expect(textsOf([THANKSGIVING], '2026-11-27T17:30:00Z')).toHaveLength(1);
});

test.each([
  [['USD', 'USD'], 'US holiday Fri'],
  [['GBP', 'CHF'], 'UK and Swiss holidays Fri'],
  [['GBP', 'CHF', 'EUR', 'AUD'], 'UK, Swiss and 2 more holidays Fri'],
  [['XAF'], 'XAF holiday Fri'],
])('names the countries of a shared holiday: %j', (countries, text) => {
  const events = countries.map((country) => holiday(country, '2026-12-25'));

  expect(textsOf(events, '2026-12-23T17:30:00Z').at(-1)).toBe(text);
});

test('counts announcements of one moment, and names each on hover', () => {
  const events = [
    announced('2026-11-25T20:00:00Z', { title: 'FOMC Minutes' }),
    announced('2026-11-25T18:30:00Z'),
    announced('2026-11-25T18:30:00Z', { title: 'Core CPI m/m' }),
    announced('2026-11-25T18:30:00Z', { country: 'All', title: 'OPEC Meetings' }),
  ];

  expect(todayLine(events, at('2026-11-25T16:30:00Z'), 'UTC')[1]).toEqual({
    kind: 'announcement',
    text: 'US CPI m/m and 2 more in 2 h',
    exact: 'US CPI m/m, US Core CPI m/m, OPEC Meetings at 18:30',
  });
});

test.each([
  ['is over', announced('2026-11-25T16:30:00Z')],
  ['comes on another day', announced('2026-11-26T00:10:00Z')],
  ['has no hour', announced('2026-11-25T18:30:00Z', { time: 'Tentative' })],
  ['has less impact', announced('2026-11-25T18:30:00Z', { impact: 'Medium' })],
])('names no announcement that %s', (_what, event) => {
  expect(todayLine([event], at('2026-11-25T16:30:00Z'), 'UTC').map(({ kind }) => kind)).toEqual(['session']);
});

test('takes the day of announcements from the viewer’s zone', () => {
  const late = announced('2026-11-26T00:10:00Z');

  expect(textsOf([late], '2026-11-25T16:30:00Z', 'America/New_York')).toContain('US CPI m/m in 7 h 40 min');
});

test('names no session if all of them rest for a week', () => {
  const days = Array.from({ length: 9 }, (_, i) => `2026-11-${20 + i}`);
  const closed = ['AUD', 'JPY', 'GBP', 'USD'].flatMap((country) => days.map((date) => holiday(country, date)));

  expect(textsOf(closed, '2026-11-20T12:00:00Z')).toEqual(['Australian, Japanese and 2 more holidays today']);
});

test('writes only what is ahead, whatever the events, the moment and the zone', () => {
  const moment = fc.integer({ min: at('2026-01-01'), max: at('2028-01-01') });
  const near = fc.integer({ min: -4 * DAY_MS, max: 9 * DAY_MS });
  const event = fc.record({ afterMs: near, isHoliday: fc.boolean(), country: fc.constantFrom('USD', 'GBP', 'XYZ') });
  const zone = fc.constantFrom('UTC', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Apia');
  fc.assert(
    fc.property(moment, fc.array(event, { maxLength: 8 }), zone, (nowMs, drawn, viewerZone) => {
      const events = drawn.map(({ afterMs, isHoliday, country }) => {
        const time = new Date(nowMs + afterMs).toISOString();
        return isHoliday
          ? holiday(country, time.slice(0, 10))
          : announced(time, { country, title: `after ${afterMs}` });
      });
      const items = todayLine(events, nowMs, viewerZone);

      for (const { kind, text } of items) {
        expect(text).not.toMatch(/ -|NaN|undefined|\b0 (min|h|d)\b|Infinity/);
        if (kind === 'announcement') expect(Number(/after (\S+)/.exec(text)?.[1])).toBeGreaterThan(0);
      }
      expect(items).not.toEqual([]);
      expect(new Set(items.map(({ kind }) => kind)).size).toBe(items.length);
    }),
  );
});
