/** Scheduled releases: figures, decisions and speeches whose moment is announced long before. */
import { zoneOffsetS } from '../../time/zone-offset.ts';
import type { CalendarEvent } from './calendar-messages.ts';
import { isUsRelease, RELEASE_KINDS, type ReleaseKind, releaseKindOf } from './release-kinds.ts';

export interface Release {
  timeS: number;
  /** Of several at one moment the kind that comes first in RELEASE_KINDS. */
  kind: ReleaseKind;
  title: string;
}

export interface ReleaseRow {
  timeS: number;
  /** ISO code. */
  currency: string;
  title: string;
}

const HEADER = 'time,currency,event';
/** As seconds this is the year 5138; as milliseconds, 1973. */
const MILLISECONDS_FROM = 1e11;
const COMMENT = '#';
const DAY_S = 86_400;
const [SUNDAY, SATURDAY] = [0, 6];
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** By kind, the minute of the day in New York at which it is always released. */
const USUAL_MINUTE: Partial<Record<ReleaseKind, number>> = {
  'fed-statement': 14 * 60,
  'fed-press-conference': 14 * 60 + 30,
  inflation: 8 * 60 + 30,
  jobs: 8 * 60 + 30,
  pce: 8 * 60 + 30,
  ppi: 8 * 60 + 30,
  'retail-sales': 8 * 60 + 30,
  gdp: 8 * 60 + 30,
  claims: 8 * 60 + 30,
  ism: 10 * 60,
};

/**
 * @param text  CSV with the columns time (epoch seconds, or a moment with its offset), currency and event; lines that
 * begin with # say something to people
 * @throws Error naming the line
 */
export function readReleaseRows(text: string): ReleaseRow[] {
  const lines = text.trimEnd().split(/\r?\n/);
  const from = lines.findIndex((line) => !line.startsWith(COMMENT));
  if (lines[from] !== HEADER) throw new Error(`line ${from + 1} is not the header ${HEADER}`);
  return lines.flatMap((line, i) => {
    if (i <= from || line.startsWith(COMMENT)) return [];
    // A title may hold a comma.
    const [, time = '', currency = '', title = ''] = /^([^,]+),([A-Z]{3}),(.{1,200})$/.exec(line) ?? [];
    const timeS = secondsOf(time);
    if (timeS === null) throw new Error(`line ${i + 1}: not '${HEADER}', with seconds or a moment and its offset`);
    return [{ timeS, currency, title }];
  });
}

function secondsOf(time: string): number | null {
  if (/^\d+$/.test(time)) return Number(time) < MILLISECONDS_FROM ? Number(time) : null;
  if (!/T.*(Z|[+-]\d\d:\d\d)$/.test(time)) return null;
  const ms = Date.parse(time);
  return Number.isFinite(ms) ? Math.floor(ms / 1000) : null;
}

/** Announcements whose moment is certain: not those of a day, and none whose hour is still open. */
export function releaseRowsOf(events: readonly CalendarEvent[]): ReleaseRow[] {
  return events.flatMap(({ isHoliday, country, title, time }) => {
    const timeS = isHoliday || time === undefined ? null : secondsOf(time);
    return timeS === null ? [] : [{ timeS, currency: country, title }];
  });
}

/**
 * Why a row can't be right, so that no forecast counts it; null if it can. A feed of the wrong zone or day would
 * otherwise widen bands for hours in which nothing happens.
 */
export function releaseFault({ timeS, currency, title }: ReleaseRow): string | null {
  const kind = releaseKindOf(currency, title);
  if (!isUsRelease(kind)) return null;
  const localS = timeS + zoneOffsetS('America/New_York', timeS);
  const day = Math.floor(localS / DAY_S);
  const weekday = (day + EPOCH_WEEKDAY) % 7;
  if (weekday === SUNDAY || weekday === SATURDAY) return 'nothing is released on a weekend';
  const minute = Math.floor((localS - day * DAY_S) / 60);
  const usual = USUAL_MINUTE[kind];
  if (usual !== undefined && minute !== usual) return 'this kind is never released at that hour';
  return minute === 0 ? 'it has a day and no hour' : null;
}

/** One for each moment, in order of time. */
export function releasesOf(rows: readonly ReleaseRow[]): Release[] {
  const found = new Map<number, Release>();
  for (const { timeS, currency, title } of rows) {
    const kind = releaseKindOf(currency, title);
    const known = found.get(timeS);
    const isGreater = known === undefined || RELEASE_KINDS.indexOf(kind) < RELEASE_KINDS.indexOf(known.kind);
    if (isGreater) found.set(timeS, { timeS, kind, title });
  }
  return [...found.values()].toSorted((a, b) => a.timeS - b.timeS);
}
