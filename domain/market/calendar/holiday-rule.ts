import { isWeekend, weekdayOf } from '../../time/calendar-day.ts';

/** A day, as days since 1 January 1970, and its name. */
export type NamedDay = readonly [day: number, title: string];

/** The holidays of one year as observed, in any order; some may fall into the following year. */
export type HolidayRule = (year: number) => readonly NamedDay[];

/** A weekend's holiday is observed on Monday. */
export function observedOnMonday(day: number, title: string): NamedDay {
  if (!isWeekend(day)) return [day, title];
  return [day + (weekdayOf(day) === 6 ? 2 : 1), `${title} (observed)`];
}

/** Two holidays in a row never share the Monday: each that falls on a weekend is observed two days later. */
export function pairObservedAfterWeekend(firstDay: number, first: string, second: string): NamedDay[] {
  const observed = (day: number, title: string): NamedDay =>
    isWeekend(day) ? [day + 2, `${title} (observed)`] : [day, title];
  return [observed(firstDay, first), observed(firstDay + 1, second)];
}
