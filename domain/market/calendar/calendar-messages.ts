/**
 * What the calendar's two questions answer, as it travels to pages: trading sessions, and holidays with announcements.
 * Specification 2, sections 3 and 7.4.
 */
import * as z from 'zod/mini';
import { SESSION_STATUSES } from './sessions.ts';

/** `GET /functions/v1/ff-proxy` with one of these parameters and no other. */
export const CALENDAR_PATH = '/functions/v1/ff-proxy';
export const SESSIONS_QUERY = { name: 'path', value: '/market' } as const;
export const EVENTS_QUERY = { name: 'type', value: 'news' } as const;

export interface CalendarEvent {
  isHoliday: boolean;
  title: string;
  /** Currency code, or `All`. */
  country: string;
  /** YYYY-MM-DD: a holiday's own day wherever one reads it; of an announcement the day in the feed's offset. */
  date: string;
  /** Of announcements: an ISO moment with offset, or the feed's word for it (`12:30pm`, `Tentative`). */
  time?: string | undefined;
  /** Of announcements: how much it may move prices, in the feed's word (`High`). */
  impact?: string | undefined;
}

const hour = z.number().check(z.gte(0), z.lt(24));
const text = z.string().check(z.maxLength(200));

export const sessionsAnswerSchema = z.object({
  ok: z.boolean(),
  data: z.array(z.object({ session: text, status: z.enum(SESSION_STATUSES), startUTC: hour, endUTC: hour })),
  error: z.optional(z.nullable(text)),
});

const calendarEventSchema = z.object({
  isHoliday: z.boolean(),
  title: text,
  country: text,
  date: z.string().check(z.maxLength(40)),
  time: z.optional(z.string().check(z.maxLength(40))),
  impact: z.optional(z.string().check(z.maxLength(20))),
});

export const eventsAnswerSchema = z.object({
  ok: z.boolean(),
  data: z.array(z.unknown()),
  /** For people: beside data, what of it is missing; null when all is there. */
  error: z.optional(z.nullable(text)),
});

/** An event with its date in one form; null for what is none, or for no day of the calendar. */
export function readCalendarEvent(value: unknown): CalendarEvent | null {
  const parsed = calendarEventSchema.safeParse(value);
  const date = parsed.success ? toIsoDate(parsed.data.date) : null;
  return parsed.success && date !== null ? { ...parsed.data, date } : null;
}

/**
 * YYYY-MM-DD of that form, of MM-DD-YYYY, or of an ISO moment, of which the day is taken as it is written.
 *
 * @returns null for anything else, and for days that do not exist
 */
export function toIsoDate(written: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:T.*)?$/.exec(written);
  const american = /^(\d{2})-(\d{2})-(\d{4})$/.exec(written);
  if (iso) return existing(iso[1], iso[2], iso[3]);
  if (american) return existing(american[3], american[1], american[2]);
  return null;
}

function existing(year = '', month = '', day = ''): string | null {
  const date = `${year}-${month}-${day}`;
  const ms = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(date) ? date : null;
}
