/**
 * The releases that forecasts know: of the live calendar where it answers, else of the schedule that ships with the
 * server. Rows that can't be right are logged and left out.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { feedWeekSunday } from '#domain/market/calendar/forex-factory.ts';
import {
  type Release,
  type ReleaseRow,
  readReleaseRows,
  releaseFault,
  releaseRowsOf,
  releasesOf,
} from '#domain/market/calendar/release.ts';
import { isoOfDay } from '#domain/time/calendar-day.ts';
import { zoneOffsetS } from '#domain/time/zone-offset.ts';
import type { Core } from '../../core.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { FeedWeek } from './calendar-events.ts';

export interface KnownReleases {
  releases: readonly Release[];
  /** False: the live calendar did not answer for the whole time, so that a release may be missing. */
  isComplete: boolean;
}

/** What forecasts count, by where it is from. */
export interface StandingReleases {
  live: readonly ReleaseRow[];
  /** The time about which the live calendar says all, epoch seconds. */
  covered: { fromS: number; toS: number };
  /** Of the schedule, outside that time. */
  planned: readonly ReleaseRow[];
}

export interface ReleaseCalendar {
  /** @param week  the live calendar's last answer; null before the first */
  standing(week: FeedWeek | null): StandingReleases;
  /** From `fromS` until before `toS`, epoch seconds. Never rejects: without a calendar the schedule answers. */
  between(fromS: number, toS: number, signal: AbortSignal): Promise<KnownReleases>;
}

export interface ReleaseCalendarDeps extends Pick<Core, 'log'> {
  /** The live calendar's last answer; null before the first. */
  week(signal: AbortSignal): Promise<FeedWeek | null>;
  schedule: readonly ReleaseRow[];
}

const SHIPPED_FILE = fileURLToPath(new URL('releases.csv', import.meta.url));
const DAY_S = 86_400;
const WARNING_DAYS = 60;
/** A week's file lists nothing of the Sunday after it, on which nothing is released. */
const COVERED_DAYS = 8;

/** @param file  the operator's own; null: the shipped one. @throws Error naming the file and the line */
export function readSchedule(file: string | null): ReleaseRow[] {
  const path = file ?? SHIPPED_FILE;
  try {
    return readReleaseRows(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Told while the operator has time to replace the file. */
export function warnOfEnd(schedule: readonly ReleaseRow[], nowMs: number, log: Logger): void {
  const endS = Math.max(0, ...schedule.map(({ timeS }) => timeS));
  if (schedule.length === 0 || endS > nowMs / 1000 + WARNING_DAYS * DAY_S) return;
  log.warn({ ends: new Date(endS * 1000).toISOString() }, 'the schedule of releases ends: replace it by RELEASES_FILE');
}

/** The time about which a week's file says all, epoch seconds. */
export function coveredBy({ events, fetchedAtMs }: FeedWeek): { fromS: number; toS: number } {
  const sunday = feedWeekSunday(fetchedAtMs);
  // Early in the week the file of the week before may still be served.
  const isOld = events.length > 0 && events.every(({ date }) => date < isoOfDay(sunday));
  const firstDay = isOld ? sunday - 7 : sunday;
  return { fromS: newYorkMidnightS(firstDay), toS: newYorkMidnightS(firstDay + COVERED_DAYS) };
}

export function openReleaseCalendar({ week, schedule, log }: ReleaseCalendarDeps): ReleaseCalendar {
  const doubted = new Set<string>();

  function sound(rows: readonly ReleaseRow[], source: string): ReleaseRow[] {
    return rows.filter((row) => {
      const fault = releaseFault(row);
      if (fault === null) return true;
      const key = JSON.stringify(row);
      if (!doubted.has(key)) log.warn({ ...row, source, fault }, 'a release of the calendar is left out');
      doubted.add(key);
      return false;
    });
  }

  const believable = sound(schedule, 'schedule');

  function standing(last: FeedWeek | null): StandingReleases {
    const covered = last === null ? { fromS: 0, toS: 0 } : coveredBy(last);
    return {
      live: last === null ? [] : sound(releaseRowsOf(last.events), last.attribution),
      covered,
      planned: believable.filter(({ timeS }) => timeS < covered.fromS || timeS >= covered.toS),
    };
  }

  return {
    standing,
    async between(fromS, toS, signal) {
      // Already logged by the feed.
      const last = await week(signal).catch(() => null);
      const { live, covered, planned } = standing(last);
      const releases = releasesOf([...live, ...planned]).filter(({ timeS }) => timeS >= fromS && timeS < toS);
      return { releases, isComplete: covered.fromS <= fromS && toS <= covered.toS };
    },
  };
}

function newYorkMidnightS(day: number): number {
  const utcS = day * DAY_S;
  return utcS - zoneOffsetS('America/New_York', utcS + DAY_S / 2);
}
