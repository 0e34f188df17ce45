/** Merged from the week's feed and our own table, which covers every week. */
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { feedWeekSunday } from '#domain/market/calendar/forex-factory.ts';
import type { BankHoliday, bankHolidays } from '#domain/market/calendar/holidays.ts';
import { isoOfDay } from '#domain/time/calendar-day.ts';

/** The feed's last answer. */
export interface FeedWeek {
  events: readonly CalendarEvent[];
  /** Source of these announcements as shown on screen. */
  attribution: string;
  fetchedAtMs: number;
}

/** A page shows 21 days from its own Sunday, which is up to a day before or after UTC's. */
const DAYS_BEFORE = 8;
const DAYS_AFTER = 28;
const DAY_MS = 86_400_000;
/** The feed's title for most holidays. */
const NAMELESS = /^bank holiday$/i;

/** True while the feed's last answer covers the current week: early in the week the old file may still be served. */
export function isThisWeek(week: FeedWeek | null, nowMs: number): week is FeedWeek {
  if (week === null) return false;
  const sunday = feedWeekSunday(nowMs);
  const isOldFile = week.events.length > 0 && week.events.every(({ date }) => date < isoOfDay(sunday));
  return feedWeekSunday(week.fetchedAtMs) === sunday && !isOldFile;
}

/**
 * By date, then country. A holiday in both sources appears once, with the feed's name if it has one.
 * @throws the table's error when it does not cover these days
 */
export function eventsAround(nowMs: number, week: FeedWeek | null, table: typeof bankHolidays): CalendarEvent[] {
  const today = Math.floor(nowMs / DAY_MS);
  const [from, to] = [isoOfDay(today - DAYS_BEFORE), isoOfDay(today + DAYS_AFTER)];
  const fromFeed = (week?.events ?? []).filter(({ date }) => from <= date && date <= to);
  return mergeEvents(fromFeed, table(from, to));
}

/** @returns whether a currency has a holiday on a day, by the same sources */
export function holidayCheck(events: readonly CalendarEvent[]): (country: string, date: string) => boolean {
  const days = new Set(events.filter(({ isHoliday }) => isHoliday).map(({ country, date }) => `${country} ${date}`));
  return (country, date) => days.has(`${country} ${date}`) || days.has(`All ${date}`);
}

function mergeEvents(fromFeed: readonly CalendarEvent[], table: readonly BankHoliday[]): CalendarEvent[] {
  const named = new Map(table.map((holiday) => [`${holiday.country} ${holiday.date}`, holiday.title]));
  const events = new Map<string, CalendarEvent>();
  for (const event of fromFeed) {
    const place = `${event.country} ${event.date}`;
    const title = NAMELESS.test(event.title) ? (named.get(place) ?? event.title) : event.title;
    if (event.isHoliday) named.delete(place);
    events.set(`${place} ${event.time ?? ''} ${title}`, { ...event, title });
  }
  for (const { country, date, title } of table) {
    if (named.has(`${country} ${date}`))
      events.set(`${country} ${date}  ${title}`, { isHoliday: true, title, country, date });
  }
  return [...events.values()].sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
}

function orderOf({ date, isHoliday, time = '', country }: CalendarEvent): string {
  return `${date} ${isHoliday ? 0 : 1} ${time} ${country}`;
}
