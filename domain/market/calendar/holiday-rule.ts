/** What a country's holidays are written in: named days, and what becomes of those that fall on a weekend. */
import { isWeekend, weekdayOf } from '../../time/calendar-day.ts';

/** A day, as days since 1 January 1970, and what it is called. */
export type NamedDay = readonly [day: number, title: string];

/** The holidays of one year as they are kept, in any order; some may fall into the year after. */
export type HolidayRule = (year: number) => readonly NamedDay[];

/** A weekend's holiday is kept on Monday. */
export function keptOnMonday(day: number, title: string): NamedDay {
  if (!isWeekend(day)) return [day, title];
  return [day + (weekdayOf(day) === 6 ? 2 : 1), `${title} (observed)`];
}

/** Two holidays in a row never share the Monday: each that falls on a weekend is kept two days later. */
export function pairKeptAfterWeekend(firstDay: number, first: string, second: string): NamedDay[] {
  const kept = (day: number, title: string): NamedDay =>
    isWeekend(day) ? [day + 2, `${title} (observed)`] : [day, title];
  return [kept(firstDay, first), kept(firstDay + 1, second)];
}
