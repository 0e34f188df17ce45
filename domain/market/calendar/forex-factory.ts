/** ForexFactory's week. A row's day is taken as written (New York), so holidays don't shift with the reader's zone. */
import * as z from 'zod/mini';
import { weekdayOf } from '../../time/calendar-day.ts';
import { zoneOffsetS } from '../../time/zone-offset.ts';
import { optionalField } from '../codecs/optional-field.ts';
import { type CalendarEvent, toIsoDate } from './calendar-messages.ts';

export interface ForexFactoryRow {
  title: string;
  country: string;
  /** ISO moment with New York's offset; MM-DD-YYYY in the feed's older forms, with `time` beside it. */
  date: string;
  impact: 'High' | 'Medium' | 'Low' | 'Holiday';
  forecast: string;
  previous: string;
}

const rowSchema = z.object({
  title: z.string().check(z.minLength(1), z.maxLength(200)),
  country: z.string().check(z.regex(/^[A-Za-z]{2,3}$/)),
  date: z.string().check(z.maxLength(40)),
  time: optionalField(z.string().check(z.maxLength(20))),
  impact: z.string().check(z.maxLength(20)),
});

const DAY_S = 86_400;
/** Far above any week's row count. */
const MAX_ROWS = 2000;
/** Marked as holidays by the feed, though nothing closes. */
const NO_HOLIDAY = /daylight saving/i;

/** Holidays and announcements of high impact. @returns null for an empty list, or more invalid rows than valid */
export function readForexFactory(body: unknown): CalendarEvent[] | null {
  if (!Array.isArray(body) || body.length === 0 || body.length > MAX_ROWS) return null;
  let sound = 0;
  const events: CalendarEvent[] = [];
  for (const row of body) {
    const parsed = rowSchema.safeParse(row);
    const date = parsed.success ? toIsoDate(parsed.data.date) : null;
    if (!parsed.success || date === null) continue;
    sound += 1;
    const { title, country, impact, time } = parsed.data;
    if (impact === 'Holiday' && !NO_HOLIDAY.test(title)) events.push({ isHoliday: true, title, country, date });
    else if (impact === 'High')
      events.push({ isHoliday: false, title, country, date, time: momentOf(parsed.data.date) ?? time, impact });
  }
  return sound * 2 > body.length ? events : null;
}

/** Day since 1970 of the Sunday on which the feed's current week began, in New York. */
export function feedWeekSunday(nowMs: number): number {
  const nowS = Math.floor(nowMs / 1000);
  const day = Math.floor((nowS + zoneOffsetS('America/New_York', nowS)) / DAY_S);
  return day - weekdayOf(day);
}

function momentOf(date: string): string | undefined {
  return date.includes('T') && Number.isFinite(Date.parse(date)) ? date : undefined;
}
