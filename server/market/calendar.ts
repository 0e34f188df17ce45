/** The calendar opened: what is asked of it, and the feed that it reads. */
import type { Hono } from 'hono';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Logger } from '../platform/log.ts';
import { openFunctionRoutes } from '../platform/open-function.ts';
import { calendarFunction } from './calendar-function.ts';

export interface CalendarOptions {
  kind: MarketKind;
  clock: Clock;
  log: Logger;
}

export interface Calendar {
  routes: Hono;
  close(): Promise<void>;
}

export function openCalendar({ kind, clock, log }: CalendarOptions): Calendar {
  return {
    routes: openFunctionRoutes([calendarFunction({ kind, clock, log, week: async () => null })]),
    close: async () => {},
  };
}
