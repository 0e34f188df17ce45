/** As the real service, answers too frequent downloads with an HTML page and status 200. */
import { feedWeekSunday } from '#domain/market/calendar/forex-factory.ts';
import { isoOfDay } from '#domain/time/calendar-day.ts';
import type { DialectAnswer, OpenDialect } from '../../dialect.ts';
import { streamOf } from '../../simulation/noise.ts';
import { weekRows } from './calendar-week.ts';

export interface SandboxCalendarOptions {
  /** Downloads that succeed within five minutes of market time; null: all. */
  downloads: number | null;
}

const PATH = '/ff_calendar_thisweek.json';
const WINDOW_MS = 5 * 60_000;
const HTML = { 'content-type': 'text/html; charset=UTF-8' };
const REFUSAL = `<!DOCTYPE html><html><head><title>Request Denied</title></head><body><h1>Request Denied</h1>
<p>This file was requested too many times. Wait five minutes and try again.</p></body></html>`;

export const calendarDialect = calendarDialectOf({ downloads: 2 });

/** Each opening starts with no download counted, so that a restarted server is not refused. */
export function calendarDialectOf({ downloads }: SandboxCalendarOptions): OpenDialect {
  return ({ clock, seed }) => {
    let answeredMs: number[] = [];

    function isTooOften(nowMs: number): boolean {
      answeredMs = answeredMs.filter((ms) => ms > nowMs - WINDOW_MS && ms <= nowMs);
      return downloads !== null && answeredMs.length >= downloads;
    }

    return {
      name: 'calendar',
      answer({ path, headers }): DialectAnswer {
        if (path !== PATH) return { status: 404, body: '<html><body>Not Found</body></html>', headers: HTML };
        const nowMs = clock.nowMs();
        if (isTooOften(nowMs)) return { status: 200, body: REFUSAL, headers: HTML };
        answeredMs.push(nowMs);
        const sunday = feedWeekSunday(nowMs);
        const etag = `"${streamOf(seed, isoOfDay(sunday)).toString(16)}"`;
        if (headers['if-none-match'] === etag) return { status: 304, body: '', headers: { etag } };
        return { status: 200, body: weekRows(seed, sunday), headers: { etag } };
      },
    };
  };
}
