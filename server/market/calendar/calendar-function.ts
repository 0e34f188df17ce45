/** ff-proxy (public): sessions (`path=/market`), events (`type=news`); our own holidays when the week's feed fails. */

import { bankHolidays } from '#domain/market/calendar/holidays.ts';
import { sessionsAt } from '#domain/market/calendar/sessions.ts';
import type { Core } from '../../core.ts';
import type { FeedKind } from '../../platform/feeds/feed-store.ts';
import { readRouteQuery } from '../../platform/http/calls/contract-route.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';
import type { OpenAnswer, OpenFunction } from '../../platform/http/calls/open-function.ts';
import { eventsAround, type FeedWeek, holidayCheck, isThisWeek } from './calendar-events.ts';

export interface CalendarFunctionDeps extends Pick<Core, 'clock' | 'log'> {
  /** Where the feed comes from; sent in `x-market-kind`. */
  kind: FeedKind;
  /** The feed's last answer; null before the first. A rejection, logged by the feed, counts as an unavailable feed. */
  week(signal: AbortSignal): Promise<FeedWeek | null>;
  /** Our own holidays; a test passes its own. */
  table?: typeof bankHolidays;
}

const MAX_AGE_S = 30;
const NO_FEED =
  'This week’s announcements are missing because their feed didn’t respond. Holidays come from our own table.';
const NO_TABLE = 'Holidays after this week are missing because our table doesn’t cover these days.';
const NOTHING = 'The calendar is not available right now.';

export function calendarFunction({ kind, week, clock, log, table = bankHolidays }: CalendarFunctionDeps): OpenFunction {
  /** Events, and a message about what is missing; null when neither source has any. */
  async function known(signal: AbortSignal) {
    const nowMs = clock.nowMs();
    const last = await lastWeek(signal);
    const current = isThisWeek(last, nowMs);
    try {
      return { events: eventsAround(nowMs, last, table), error: current ? null : NO_FEED, week: current ? last : null };
    } catch (error) {
      log.error({ err: error }, 'the holiday table does not cover these days');
      return current ? { events: eventsAround(nowMs, last, () => []), error: NO_TABLE, week: last } : null;
    }
  }

  async function lastWeek(signal: AbortSignal): Promise<FeedWeek | null> {
    try {
      return await week(signal);
    } catch {
      signal.throwIfAborted();
      // Already logged where it failed; our own table answers.
      return null;
    }
  }

  async function answerSessions(signal: AbortSignal): Promise<OpenAnswer> {
    const isHoliday = holidayCheck((await known(signal))?.events ?? []);
    return { status: 200, body: { ok: true, data: sessionsAt(clock.nowMs(), isHoliday) } };
  }

  async function answerEvents(signal: AbortSignal): Promise<OpenAnswer> {
    const calendar = await known(signal);
    if (calendar === null) return { status: 502, body: { ok: false, data: [], error: NOTHING } };
    const { events, error, week: current } = calendar;
    const headers = current === null ? {} : headersOf(current);
    return { status: 200, body: { ok: true, data: events, error }, headers };
  }

  /** For the announcements only; our own table needs none. */
  function headersOf({ attribution, fetchedAtMs }: FeedWeek): Record<string, string> {
    return {
      'x-fetched-at': new Date(fetchedAtMs).toISOString(),
      'x-market-kind': kind,
      'x-market-attribution': attribution,
    };
  }

  return {
    name: 'ff-proxy',
    maxAgeS: MAX_AGE_S,
    answer: (query, signal) => (requestedPart(query) === 'sessions' ? answerSessions(signal) : answerEvents(signal)),
  };
}

/** @throws AppError `request/invalid` unless the query is exactly one of the two */
function requestedPart(params: URLSearchParams): 'sessions' | 'events' {
  const { path, type } = readRouteQuery('/functions/v1/ff-proxy', params);
  if (path === undefined && type === undefined) throw invalidParameter('path', 'missing');
  // Each is known, but only one may be given.
  if (path !== undefined && type !== undefined) throw invalidParameter('type', 'invalid');
  return type === undefined ? 'sessions' : 'events';
}
