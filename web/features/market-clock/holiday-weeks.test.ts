import { describe, expect, test } from 'vitest';
import { zonedDate, zonedWeekday } from '#domain/format/zoned-time.ts';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { eventsByDay, formatDay, formatTime, threeWeeks } from './holiday-weeks.ts';
import { mockHolidays } from './mock-holidays.ts';

const announcement = (time: string, date = '2026-05-26'): CalendarEvent => ({
  isHoliday: false,
  title: 'CPI m/m',
  country: 'USD',
  date,
  time,
  impact: 'High',
});
const holiday = (date: string): CalendarEvent => ({ isHoliday: true, title: 'Bank Holiday', country: 'USD', date });

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

describe.each(['Pacific/Kiritimati', 'Asia/Kolkata', 'Europe/London', 'America/New_York', 'Pacific/Pago_Pago'])(
  'three weeks in %s',
  (zone) => {
    test('begins three weeks on a Sunday, misses no day and holds today, at every hour and over changes of clock', () => {
      for (let ms = Date.parse('2026-03-01T00:30:00Z'); ms < Date.parse('2026-04-10T00:00:00Z'); ms += 5 * 3_600_000) {
        const dates = threeWeeks(ms, zone);

        expect(dates).toHaveLength(21);
        expect(new Set(dates).size).toBe(21);
        expect(new Date(`${dates[0]}T12:00:00Z`).getUTCDay()).toBe(0);
        expect(dates.indexOf(zonedDate(ms, zone))).toBe(WEEKDAYS.indexOf(zonedWeekday(ms, zone)));
      }
    });

    test('keeps a holiday on its day', () => {
      expect([...eventsByDay([holiday('2026-11-26')], zone).keys()]).toEqual(['2026-11-26']);
    });

    test('places every mock holiday within what is shown', () => {
      const nowMs = Date.parse('2026-11-28T11:00:00Z');

      const shown = new Set(threeWeeks(nowMs, zone));

      expect(mockHolidays(nowMs, zone).every(({ date, isHoliday }) => isHoliday && shown.has(date))).toBe(true);
    });
  },
);

test('places an announcement on the viewer’s day, at the viewer’s hour', () => {
  const cpi = announcement('2026-05-26T21:30:00-04:00');
  const shownIn = (zone: string) => [...eventsByDay([cpi], zone).keys(), formatTime(cpi, zone)];

  expect(shownIn('America/New_York')).toEqual(['2026-05-26', '21:30']);
  expect(shownIn('Asia/Tokyo')).toEqual(['2026-05-27', '10:30']);
  expect(shownIn('UTC')).toEqual(['2026-05-27', '01:30']);
});

test('shows a word in place of an hour unchanged, on the feed’s day', () => {
  const tentative = announcement('Tentative');

  expect([...eventsByDay([tentative], 'Asia/Tokyo').keys(), formatTime(tentative, 'Asia/Tokyo')]).toEqual([
    '2026-05-26',
    'Tentative',
  ]);
});

test('lists holidays of a day first, then announcements by their hour', () => {
  const events = [announcement('2026-05-26T10:00:00Z'), announcement('2026-05-26T09:00:00Z'), holiday('2026-05-26')];

  const day = eventsByDay(events, 'UTC').get('2026-05-26');

  expect(day?.map(({ time }) => time)).toEqual([undefined, '2026-05-26T09:00:00Z', '2026-05-26T10:00:00Z']);
});

test('describes a day in a sentence', () => {
  expect(formatDay('2026-11-26')).toBe('Thu, 26 Nov');
});
