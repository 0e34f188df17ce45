/** Opens the calendar: its feed and its route. */
import type { Hono } from 'hono';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { FeedAddresses } from '../../platform/config/addresses.ts';
import type { Database } from '../../platform/database/database.ts';
import { feedStore } from '../../platform/feeds/feed-store.ts';
import { openFunctionRoutes } from '../../platform/http/calls/open-function.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { openCalendarFeed } from './calendar-feed.ts';
import { calendarFunction } from './calendar-function.ts';

export interface CalendarOptions {
  source: { kind: MarketKind; addresses: Pick<FeedAddresses, 'calendarUrl'> };
  database: Database;
  clock: Clock;
  log: Logger;
  fetch?: typeof globalThis.fetch | undefined;
}

export interface Calendar {
  /** GET /functions/v1/ff-proxy. */
  routes: Hono;
  close(): Promise<void>;
}

export function openCalendar({ source, database, clock, log, fetch }: CalendarOptions): Calendar {
  const kind = source.kind === 'live' ? 'live' : 'simulated';
  const [store, jobs] = [feedStore(database, kind), jobStore(database)];
  const feed = openCalendarFeed({ url: source.addresses.calendarUrl, kind, store, jobs, clock, log, fetch });
  return { routes: openFunctionRoutes([calendarFunction({ kind, clock, log, week: feed.week })]), close: feed.close };
}
