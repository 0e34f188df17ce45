/** The calendar's 21 days, Sunday to Saturday in the viewer's zone, and each day's events. */
import { zonedClock, zonedDate, zonedNamedDay } from '#domain/format/zoned-time.ts';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { dayOfIso, isoOfDay, weekdayOf } from '#domain/time/calendar-day.ts';

const DAYS = 21;

/** 21 dates from the Sunday of the viewer's current week. */
export function threeWeeks(nowMs: number, zone: string): string[] {
  const today = dayOfIso(zonedDate(nowMs, zone));
  const sunday = today - weekdayOf(today);
  return Array.from({ length: DAYS }, (_, i) => isoOfDay(sunday + i));
}

/** Holidays stay on their own day; announcements fall on the viewer's day and hour. Holidays come first. */
export function eventsByDay(events: readonly CalendarEvent[], zone: string): Map<string, CalendarEvent[]> {
  const days = new Map<string, CalendarEvent[]>();
  const ordered = events.toSorted((a, b) => Number(b.isHoliday) - Number(a.isHoliday) || startOf(a) - startOf(b));
  for (const event of ordered) {
    const ms = momentOf(event);
    const date = ms === null ? event.date : zonedDate(ms, zone);
    days.set(date, [...(days.get(date) ?? []), event]);
  }
  return days;
}

/** '08:30' in the viewer's zone; the feed's own text when it gives no time ('Tentative'); null for whole days. */
export function formatTime(event: CalendarEvent, zone: string): string | null {
  const ms = momentOf(event);
  return ms === null ? (event.time ?? null) : zonedClock(ms, zone);
}

/** 'Thu, 26 Nov'. */
export function formatDay(date: string): string {
  return zonedNamedDay(Date.parse(`${date}T00:00:00Z`), 'UTC');
}

function startOf(event: CalendarEvent): number {
  return momentOf(event) ?? 0;
}

/** Null for a whole day, and where the feed gives no hour. */
export function momentOf({ isHoliday, time }: CalendarEvent): number | null {
  const ms = isHoliday || !time?.includes('T') ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
