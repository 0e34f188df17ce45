/** Downloaded hourly by one process for all. Retries are slow: the feed answers frequent downloads with a web page. */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { type CalendarEvent, readCalendarEvent } from '#domain/market/calendar/calendar-messages.ts';
import { readForexFactory } from '#domain/market/calendar/forex-factory.ts';
import type { Core } from '../../core.ts';
import { feedRequests } from '../../platform/feeds/feed-requests.ts';
import type { FeedKind, FeedStore } from '../../platform/feeds/feed-store.ts';
import type { JobStore } from '../../platform/processes/job-store.ts';
import { startJob } from '../../platform/processes/schedule.ts';
import { cachedAnswers } from '../reference/upstream-cache.ts';
import type { FeedWeek } from './calendar-events.ts';

export interface CalendarFeedOptions extends Pick<Core, 'clock' | 'log'> {
  url: string;
  kind: FeedKind;
  store: FeedStore;
  jobs: JobStore;
  /** Called with each download, by the process that made it. */
  learn?: ((week: FeedWeek) => Promise<void>) | undefined;
  fetch?: typeof fetch | undefined;
}

export interface CalendarFeed {
  /** The feed's last answer; null before the first. @throws the database's error while this process knows no answer */
  week(signal: AbortSignal): Promise<FeedWeek | null>;
  close(): Promise<void>;
}

const FEED = 'calendar';
const PERIOD_MS = 3_600_000;
/** The feed tolerates two downloads in five minutes. */
const BUCKET = { size: 2, perMinute: 0.4 };
const RETRY_S = 900;
const MAX_BYTES = 1 << 20;
/** How long another process's download may go unnoticed here. */
const FRESH_MS = 30_000;

export function openCalendarFeed({
  url,
  kind,
  store,
  jobs,
  clock,
  log,
  learn,
  fetch,
}: CalendarFeedOptions): CalendarFeed {
  const requests = feedRequests({ baseUrl: url, log, bucket: BUCKET, maxBytes: MAX_BYTES, fetch });
  const download = requests.question({ path: '', read: readFile });
  /** This process's last download, available before the store is read again. */
  let own: FeedWeek | null = null;

  const job = startJob({
    name: `${kind}:${FEED}`,
    periodMs: PERIOD_MS,
    store: jobs,
    log,
    async run(signal) {
      const events = await patiently(() => download(signal));
      // A sandbox must never carry the name of the service it simulates.
      const attribution = kind === 'live' ? 'Forex Factory' : 'Sandbox market';
      const week: FeedWeek = { events, attribution, fetchedAtMs: clock.nowMs() };
      await learn?.(week);
      await store.put(FEED, { ...week, body: events });
      own = week;
      return undefined;
    },
  });

  const stored = cachedAnswers<FeedWeek | null>({ freshMs: FRESH_MS, clock, load: readStored });

  async function readStored(): Promise<FeedWeek | null> {
    try {
      const value = await store.get(FEED);
      if (value === null) return null;
      const { body, attribution, fetchedAtMs } = value;
      return { events: eventsOf(body), attribution, fetchedAtMs };
    } catch (error) {
      log.warn({ err: error }, 'the stored calendar could not be read');
      throw error;
    }
  }

  return {
    async week(signal) {
      if (own !== null && clock.nowMs() - own.fetchedAtMs < PERIOD_MS) return own;
      const { value } = await stored.get(FEED, signal);
      return (value?.fetchedAtMs ?? 0) > (own?.fetchedAtMs ?? 0) ? value : own;
    },
    close: () => job.close(),
  };
}

/** Retries a failure after a quarter of an hour, not after seconds. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const suggestedS = error.details.retryAfterS;
    const retryAfterS = Math.max(RETRY_S, typeof suggestedS === 'number' ? suggestedS : 0);
    throw new AppError(error.code, { details: { ...error.details, retryAfterS }, cause: error });
  }
}

/** @throws Error for a web page or anything else that is not a calendar */
function readFile(body: string): CalendarEvent[] {
  const events = readForexFactory(JSON.parse(body));
  if (events === null) throw new Error("the answer isn't a calendar");
  return events;
}

function eventsOf(body: unknown): CalendarEvent[] {
  return Array.isArray(body) ? body.flatMap((event) => readCalendarEvent(event) ?? []) : [];
}
