import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { threeWeeks } from './holiday-weeks.ts';

/** Days after the first shown Sunday: the calendar's edges, a full day, and one in each week. */
const MOCKS = [
  { day: 0, country: 'EUR' },
  { day: 3, country: 'USD' },
  { day: 8, country: 'GBP' },
  { day: 12, country: 'AUD' },
  { day: 12, country: 'JPY' },
  { day: 12, country: 'NZD' },
  { day: 20, country: 'CHF' },
] as const;

/** Fake holidays for viewing the calendar in a quiet week: `?mock=hol`. The server never mixes them in. */
export function mockHolidays(nowMs: number, zone: string): CalendarEvent[] {
  const dates = threeWeeks(nowMs, zone);
  return MOCKS.map(({ day, country }) => ({
    isHoliday: true,
    title: 'Mock Bank Holiday',
    country,
    date: dates[day] ?? '',
  }));
}
