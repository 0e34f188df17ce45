import * as z from 'zod/mini';
import { SESSION_STATUSES } from './sessions.ts';

/** `GET /functions/v1/ff-proxy` takes exactly one of these parameters. */
export const CALENDAR_PATH = '/functions/v1/ff-proxy';
export const SESSIONS_QUERY = { name: 'path', value: '/market' } as const;
export const EVENTS_QUERY = { name: 'type', value: 'news' } as const;

export interface CalendarEvent {
  isHoliday: boolean;
  title: string;
  country: string;
  /** YYYY-MM-DD: a holiday's local day, the same for every reader; an announcement's day in the feed's offset. */
  date: string;
  /** For announcements: an ISO moment with offset, or the feed's text (`12:30pm`, `Tentative`). */
  time?: string | undefined;
  /** For announcements: how much it may move prices, in the feed's term (`High`). */
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
  /** Message for the user: with data, it states what is missing; null when the data is complete. */
  error: z.optional(z.nullable(text)),
});

/** An event with its date normalized; null for an invalid event or date. */
export function readCalendarEvent(value: unknown): CalendarEvent | null {
  const parsed = calendarEventSchema.safeParse(value);
  const date = parsed.success ? toIsoDate(parsed.data.date) : null;
  return parsed.success && date !== null ? { ...parsed.data, date } : null;
}

/** The day of YYYY-MM-DD, MM-DD-YYYY or an ISO moment, as written; null for anything else. */
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
