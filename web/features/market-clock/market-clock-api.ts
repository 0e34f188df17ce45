/** Sessions, holidays and announcements, from the server's ff-proxy. Requests carry no credentials. */
import {
  CALENDAR_PATH,
  type CalendarEvent,
  EVENTS_QUERY,
  eventsAnswerSchema,
  readCalendarEvent,
  SESSIONS_QUERY,
  sessionsAnswerSchema,
} from '#domain/market/calendar/calendar-messages.ts';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

/** No answer, or one of another shape. */
const CHECK_FAILED = 'Holiday check unavailable.';
/** The server answered that it has no data. */
const NOTHING_KNOWN = "Market holidays didn't load.";
const SESSIONS_FAILED = 'Failed to load sessions.';

export interface KnownEvents {
  events: CalendarEvent[];
  /** Message about missing data, for users; null when complete. */
  note: string | null;
  /** Source of the announcements; null without any. */
  attribution: string | null;
  /** True when the week's announcements are simulated. */
  isSimulated: boolean;
}

/** @throws CallError 'Failed to load sessions.' */
export async function fetchSessions(signal: AbortSignal): Promise<TradingSession[]> {
  const { body } = await requestCalendar(SESSIONS_QUERY, SESSIONS_FAILED, signal);
  const answer = sessionsAnswerSchema.safeParse(body);
  if (!answer.success || !answer.data.ok || answer.data.data.length === 0) throw failed(SESSIONS_FAILED, answer.error);
  return answer.data.data;
}

/** @throws CallError 'Holiday check unavailable.', or "Market holidays didn't load." when the server reports no data */
export async function fetchEvents(signal: AbortSignal): Promise<KnownEvents> {
  const { body, headers } = await requestCalendar(EVENTS_QUERY, CHECK_FAILED, signal);
  const answer = eventsAnswerSchema.safeParse(body);
  if (!answer.success) throw failed(CHECK_FAILED, answer.error);
  if (!answer.data.ok) throw failed(NOTHING_KNOWN);
  return {
    events: answer.data.data.flatMap((event) => readCalendarEvent(event) ?? []),
    note: answer.data.error ?? null,
    attribution: headers.get('x-market-attribution'),
    isSimulated: headers.get('x-market-kind') === 'simulated',
  };
}

/** The parsed body whatever the status, because a refusal has its reason there. */
async function requestCalendar(question: { name: string; value: string }, failure: string, signal: AbortSignal) {
  const query = new URLSearchParams([[question.name, question.value]]);
  try {
    return await inTime(signal, async (limited) => {
      const headers = { accept: 'application/json' };
      const response = await retryingFetch(`${CALENDAR_PATH}?${query}`, { signal: limited, headers });
      const body: unknown = await response.json();
      return { body, headers: response.headers };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw failed(failure, error);
  }
}

function failed(message: string, cause?: unknown): CallError {
  return new CallError('calendar', message, 0, cause);
}
