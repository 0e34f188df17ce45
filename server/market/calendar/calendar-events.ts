/**
 * Holidays and announcements of the weeks around a moment: what the week's feed says, and what our own table knows of
 * every week. Source: community facts, section 2.
 */
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { feedWeekSunday } from '#domain/market/calendar/forex-factory.ts';
import type { BankHoliday, bankHolidays } from '#domain/market/calendar/holidays.ts';
import { isoOfDay } from '#domain/time/calendar-day.ts';

/** The feed as it last answered. */
export interface FeedWeek {
  events: readonly CalendarEvent[];
  /** Whose announcements these are, as the screen names it. */
  attribution: string;
  fetchedAtMs: number;
}

/** A page shows 21 days from its own Sunday, which lies up to a day beyond UTC's on either side. */
const DAYS_BEFORE = 8;
const DAYS_AFTER = 28;
const DAY_MS = 86_400_000;
/** What the feed calls most of its holidays, whatever they are. */
const NAMELESS = /^bank holiday$/i;

/** True while the feed's last answer is of the week that is running: on its first morning the old file may still be up. */
export function isThisWeek(week: FeedWeek | null, nowMs: number): week is FeedWeek {
  if (week === null) return false;
  const sunday = feedWeekSunday(nowMs);
  const isOldFile = week.events.length > 0 && week.events.every(({ date }) => date < isoOfDay(sunday));
  return feedWeekSunday(week.fetchedAtMs) === sunday && !isOldFile;
}

/**
 * Everything known from 8 days before to 28 days after, by date, then country. A holiday that both know is told once,
 * by its name: the feed's, or the table's where the feed has none.
 *
 * @throws what the table throws when it knows no such days
 */
export function eventsAround(nowMs: number, week: FeedWeek | null, table: typeof bankHolidays): CalendarEvent[] {
  const today = Math.floor(nowMs / DAY_MS);
  const [from, to] = [isoOfDay(today - DAYS_BEFORE), isoOfDay(today + DAYS_AFTER)];
  const fromFeed = (week?.events ?? []).filter(({ date }) => from <= date && date <= to);
  return mergeEvents(fromFeed, table(from, to));
}

/** @returns whether a currency rests on a day, by the same sources */
export function holidayCheck(events: readonly CalendarEvent[]): (country: string, date: string) => boolean {
  const kept = new Set(events.filter(({ isHoliday }) => isHoliday).map(({ country, date }) => `${country} ${date}`));
  return (country, date) => kept.has(`${country} ${date}`) || kept.has(`All ${date}`);
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
