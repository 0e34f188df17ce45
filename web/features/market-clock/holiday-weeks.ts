/** The 21 days that the calendar shows, Sunday to Saturday on the viewer's clock, and what falls on each. */
import { zonedDate } from '#domain/format/zoned-time.ts';
import type { CalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { dayOfIso, isoOfDay, weekdayOf } from '#domain/time/calendar-day.ts';
import { clockWords } from './session-blocks.ts';

const DAYS = 21;

/** 21 dates from the Sunday of the week that is running where the viewer is. */
export function threeWeeks(nowMs: number, zone: string): string[] {
  const today = dayOfIso(zonedDate(nowMs, zone));
  const sunday = today - weekdayOf(today);
  return Array.from({ length: DAYS }, (_, i) => isoOfDay(sunday + i));
}

/** Holidays keep their own day; announcements fall on the viewer's, at the viewer's hour. Holidays come first. */
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

/** '8:30 AM' for the viewer; the feed's own word when it names no moment ('Tentative'); null for whole days. */
export function timeWords(event: CalendarEvent, zone: string): string | null {
  const ms = momentOf(event);
  return ms === null ? (event.time ?? null) : clockWords(ms, zone);
}

/** 'Thursday, November 26'. */
export function dayWords(date: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', options);
}

function startOf(event: CalendarEvent): number {
  return momentOf(event) ?? 0;
}

function momentOf({ isHoliday, time }: CalendarEvent): number | null {
  const ms = isHoliday || !time?.includes('T') ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
