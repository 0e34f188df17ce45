/**
 * Days on which the American exchanges stay closed or close early, by rule, in New York wall time. Shares: the rules
 * behind the exchanges' published calendars, checked for 2022 to 2028. Futures: Good Friday, Christmas and New Year's
 * Day are certain; the hours of early halts are those of recent years, and an exchange may change them at short notice.
 */
import {
  dayOf,
  dayOfIso,
  easterSunday,
  isWeekend,
  lastWeekday,
  nthWeekday,
  weekdayOf,
  yearOfDay,
} from '../../time/calendar-day.ts';
import type { HoursId } from '../symbols.ts';

/** Minute of the New York day at which trading ends; negative infinity: no trading that day. */
type Ends = Map<number, number>;
type YearEnds = Readonly<Record<Exclude<HoursId, 'always'>, Ends>>;

const CLOSED = Number.NEGATIVE_INFINITY;
const SHARES_EARLY = 13 * 60;
/** Holidays on which metals and energy pause until the evening. */
const METALS_HALT = 14 * 60 + 30;
const METALS_EARLY = 13 * 60 + 45;
const DOLLAR_INDEX_HALT = 13 * 60;
/** Days of mourning for a president are announced only days before, so no rule predicts them. */
const SHARES_CLOSED_ONCE = ['2018-12-05', '2025-01-09'] as const;

const SUN = 0;
const MON = 1;
const THU = 4;
const FRI = 5;
const SAT = 6;

const years = new Map<number, YearEnds>();
/** The last requested year, with its first and last day. */
let shown: { first: number; last: number; ends: YearEnds } | null = null;

/**
 * When a trade date ends earlier than usual. A future's trade date begins on the evening before.
 *
 * @param tradeDay  days since 1 January 1970
 * @returns minute of that day in New York, negative infinity for a day without trading, undefined for a usual day
 */
export function earlyEndOf(hours: Exclude<HoursId, 'always'>, tradeDay: number): number | undefined {
  // Called for each minute of long stretches, so the year is nearly always the last one.
  if (shown === null || tradeDay < shown.first || tradeDay > shown.last) {
    const year = yearOfDay(tradeDay);
    shown = { first: dayOf(year, 1, 1), last: dayOf(year, 12, 31), ends: endsOf(year) };
  }
  return shown.ends[hours].get(tradeDay);
}

function endsOf(year: number): YearEnds {
  const known = years.get(year);
  if (known !== undefined) return known;
  const closed = closedDays(year);
  const pauses = pauseDays(year);
  const short = shortDays(year);
  const metals = new Map([...at(pauses, METALS_HALT), ...at(short, METALS_EARLY), ...at(closed, CLOSED)]);
  const ends = {
    nasdaq: new Map([
      ...at([...short, ...beforeIndependenceDay(year)], SHARES_EARLY),
      ...at([...closed, ...pauses, ...onceClosed(year)], CLOSED),
    ]),
    comex: metals,
    nymex: metals,
    'ice-us': new Map([...at(pauses, DOLLAR_INDEX_HALT), ...at(closed, CLOSED)]),
  };
  years.set(year, ends);
  return ends;
}

function at(days: readonly number[], end: number): [number, number][] {
  return days.map((day) => [day, end]);
}

/** A Saturday's New Year's Day is not observed: it would fall into the previous year. */
function closedDays(year: number): number[] {
  const newYear = dayOf(year, 1, 1);
  const isObserved = weekdayOf(newYear) !== SAT;
  return [...(isObserved ? [observed(newYear)] : []), easterSunday(year) - 2, observed(dayOf(year, 12, 25))];
}

/** Days on which shares are closed and futures pause early. Juneteenth is observed since 2022. */
function pauseDays(year: number): number[] {
  return [
    nthWeekday(year, 1, MON, 3),
    nthWeekday(year, 2, MON, 3),
    lastWeekday(year, 5, MON),
    ...(year < 2022 ? [] : [observed(dayOf(year, 6, 19))]),
    observed(dayOf(year, 7, 4)),
    nthWeekday(year, 9, MON, 1),
    thanksgiving(year),
  ];
}

/** The day after Thanksgiving, and Christmas Eve unless it is a weekend or observes a Saturday's Christmas. */
function shortDays(year: number): number[] {
  return [thanksgiving(year) + 1, ...[dayOf(year, 12, 24)].filter(isBeforeHoliday)];
}

/** For shares only. */
function beforeIndependenceDay(year: number): number[] {
  return [dayOf(year, 7, 3)].filter(isBeforeHoliday);
}

/** True when the next day is a weekday too, so its holiday is observed on its date. */
function isBeforeHoliday(day: number): boolean {
  return !isWeekend(day) && weekdayOf(day) !== FRI;
}

function thanksgiving(year: number): number {
  return nthWeekday(year, 11, THU, 4);
}

function onceClosed(year: number): number[] {
  return SHARES_CLOSED_ONCE.map(dayOfIso).filter((day) => yearOfDay(day) === year);
}

/** A Saturday's holiday is observed on Friday, a Sunday's on Monday. */
function observed(day: number): number {
  const weekday = weekdayOf(day);
  if (weekday === SAT) return day - 1;
  return weekday === SUN ? day + 1 : day;
}
