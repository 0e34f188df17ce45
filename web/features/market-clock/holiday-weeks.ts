/** The 21 days that the calendar shows, Sunday to Saturday on the viewer's clock, and what falls on each. */
import type { CalendarEvent } from '#domain/market/calendar-messages.ts';
import { dayOf, isoOfDay, weekdayOf } from '#domain/time/calendar-day.ts';

const DAYS = 21;

/** The day on the viewer's calendar, YYYY-MM-DD. */
export function localDate(ms: number): string {
  return isoOfDay(localDay(ms));
}

/** 21 dates from the Sunday of the week that is running where the viewer is. */
export function threeWeeks(nowMs: number): string[] {
  const today = localDay(nowMs);
  const sunday = today - weekdayOf(today);
  return Array.from({ length: DAYS }, (_, i) => isoOfDay(sunday + i));
}

/** Holidays keep their own day; announcements fall on the viewer's, at the viewer's hour. Holidays come first. */
export function eventsByDay(events: readonly CalendarEvent[]): Map<string, CalendarEvent[]> {
  const days = new Map<string, CalendarEvent[]>();
  const ordered = events.toSorted((a, b) => Number(b.isHoliday) - Number(a.isHoliday) || startOf(a) - startOf(b));
  for (const event of ordered) {
    const date = dateOf(event);
    days.set(date, [...(days.get(date) ?? []), event]);
  }
  return days;
}

/** '8:30 AM' for the viewer; the feed's own word when it names no moment ('Tentative'); null for whole days. */
export function timeWords(event: CalendarEvent): string | null {
  const ms = momentOf(event);
  if (ms === null) return event.time ?? null;
  return new Date(ms).toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' });
}

/** 'Thursday, November 26'. */
export function dayWords(date: string): string {
  const options = { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-US', options);
}

function dateOf(event: CalendarEvent): string {
  const ms = momentOf(event);
  return ms === null ? event.date : localDate(ms);
}

function startOf(event: CalendarEvent): number {
  return momentOf(event) ?? 0;
}

function momentOf({ isHoliday, time }: CalendarEvent): number | null {
  const ms = isHoliday || !time?.includes('T') ? Number.NaN : Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}

function localDay(ms: number): number {
  const date = new Date(ms);
  return dayOf(date.getFullYear(), date.getMonth() + 1, date.getDate());
}
