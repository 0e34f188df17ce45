/**
 * Bank holidays of the calendar's nine currencies, by rule. Each currency uses one calendar: the Federal Reserve,
 * TARGET, England and Wales, Japan's banks, New South Wales, New Zealand, Ontario's banks, Zurich, China.
 */
import { dayOf, easterSunday, lastWeekday, nthWeekday, weekdayOf } from '../../time/calendar-day.ts';
import { chineseHolidays } from './chinese-holidays.ts';
import { type HolidayRule, type NamedDay, observedOnMonday, pairObservedAfterWeekend } from './holiday-rule.ts';
import { japaneseHolidays } from './japanese-holidays.ts';
import { matariki } from './lunar-days.ts';

export const CALENDAR_CURRENCIES = ['AUD', 'CAD', 'CHF', 'CNY', 'EUR', 'GBP', 'JPY', 'NZD', 'USD'] as const;
export type CalendarCurrency = (typeof CALENDAR_CURRENCIES)[number];

export const HOLIDAY_RULES: Readonly<Record<CalendarCurrency, HolidayRule>> = {
  AUD: newSouthWales,
  CAD: ontarioBanks,
  CHF: zurich,
  CNY: chineseHolidays,
  EUR: target,
  GBP: englandAndWales,
  JPY: japaneseHolidays,
  NZD: newZealand,
  USD: federalReserve,
};

const MON = 1;
const THU = 4;

/** The Reserve Banks move a Sunday's holiday to Monday, and open on the Friday before a Saturday's. */
function federalReserve(year: number): NamedDay[] {
  const observed = (month: number, dayOfMonth: number, title: string): NamedDay => {
    const day = dayOf(year, month, dayOfMonth);
    return weekdayOf(day) === 0 ? [day + 1, `${title} (observed)`] : [day, title];
  };
  return [
    observed(1, 1, "New Year's Day"),
    [nthWeekday(year, 1, MON, 3), 'Martin Luther King Jr. Day'],
    [nthWeekday(year, 2, MON, 3), "Presidents' Day"],
    [lastWeekday(year, 5, MON), 'Memorial Day'],
    observed(6, 19, 'Juneteenth'),
    observed(7, 4, 'Independence Day'),
    [nthWeekday(year, 9, MON, 1), 'Labor Day'],
    [nthWeekday(year, 10, MON, 2), 'Columbus Day'],
    observed(11, 11, 'Veterans Day'),
    [nthWeekday(year, 11, THU, 4), 'Thanksgiving Day'],
    observed(12, 25, 'Christmas Day'),
  ];
}

/** The euro's payment system: it ignores holidays of single countries and moves none. */
function target(year: number): NamedDay[] {
  return [
    [dayOf(year, 1, 1), "New Year's Day"],
    ...goodFridayAndEasterMonday(year),
    [dayOf(year, 5, 1), 'Labour Day'],
    [dayOf(year, 12, 25), 'Christmas Day'],
    [dayOf(year, 12, 26), 'Christmas Holiday'],
  ];
}

function englandAndWales(year: number): NamedDay[] {
  return [
    observedOnMonday(dayOf(year, 1, 1), "New Year's Day"),
    ...goodFridayAndEasterMonday(year),
    [nthWeekday(year, 5, MON, 1), 'Early May Bank Holiday'],
    [lastWeekday(year, 5, MON), 'Spring Bank Holiday'],
    [lastWeekday(year, 8, MON), 'Summer Bank Holiday'],
    ...christmasAndBoxingDay(year),
  ];
}

/**
 * New South Wales, where Sydney and the Reserve Bank are: only banks close on August's Bank Holiday. Anzac Day is not
 * moved, but an order of 2026 adds the Monday after it in 2026 and 2027 only.
 */
function newSouthWales(year: number): NamedDay[] {
  const anzac = dayOf(year, 4, 25);
  const [extraDay, extra] = observedOnMonday(anzac, 'Anzac Day');
  return [
    observedOnMonday(dayOf(year, 1, 1), "New Year's Day"),
    observedOnMonday(dayOf(year, 1, 26), 'Australia Day'),
    ...goodFridayAndEasterMonday(year),
    [anzac, 'Anzac Day'],
    ...(year === 2026 || year === 2027 ? [[extraDay, extra] as const] : []),
    [nthWeekday(year, 6, MON, 2), "King's Birthday"],
    [nthWeekday(year, 8, MON, 1), 'Bank Holiday'],
    [nthWeekday(year, 10, MON, 1), 'Labour Day'],
    ...christmasAndBoxingDay(year),
  ];
}

/** National days only: the provinces' anniversary days close no bank elsewhere. */
function newZealand(year: number): NamedDay[] {
  const stars = matariki(year);
  return [
    ...pairObservedAfterWeekend(dayOf(year, 1, 1), "New Year's Day", "Day after New Year's Day"),
    observedOnMonday(dayOf(year, 2, 6), 'Waitangi Day'),
    ...goodFridayAndEasterMonday(year),
    observedOnMonday(dayOf(year, 4, 25), 'Anzac Day'),
    [nthWeekday(year, 6, MON, 1), "King's Birthday"],
    ...(stars === null ? [] : [[stars, 'Matariki'] as const]),
    [nthWeekday(year, 10, MON, 4), 'Labour Day'],
    ...christmasAndBoxingDay(year),
  ];
}

/** Banks under federal law, plus the three days that Ontario adds: Family Day, Civic Holiday, Boxing Day. */
function ontarioBanks(year: number): NamedDay[] {
  const beforeMay25 = dayOf(year, 5, 24);
  return [
    observedOnMonday(dayOf(year, 1, 1), "New Year's Day"),
    [nthWeekday(year, 2, MON, 3), 'Family Day'],
    [easterSunday(year) - 2, 'Good Friday'],
    [beforeMay25 - ((weekdayOf(beforeMay25) - MON + 7) % 7), 'Victoria Day'],
    observedOnMonday(dayOf(year, 7, 1), 'Canada Day'),
    [nthWeekday(year, 8, MON, 1), 'Civic Holiday'],
    [nthWeekday(year, 9, MON, 1), 'Labour Day'],
    observedOnMonday(dayOf(year, 9, 30), 'National Day for Truth and Reconciliation'),
    [nthWeekday(year, 10, MON, 2), 'Thanksgiving Day'],
    observedOnMonday(dayOf(year, 11, 11), 'Remembrance Day'),
    ...christmasAndBoxingDay(year),
  ];
}

/** The banking centre of Switzerland; it moves no holiday. */
function zurich(year: number): NamedDay[] {
  const easter = easterSunday(year);
  return [
    [dayOf(year, 1, 1), "New Year's Day"],
    [dayOf(year, 1, 2), "Berchtold's Day"],
    ...goodFridayAndEasterMonday(year),
    [dayOf(year, 5, 1), 'Labour Day'],
    [easter + 39, 'Ascension Day'],
    [easter + 50, 'Whit Monday'],
    [dayOf(year, 8, 1), 'Swiss National Day'],
    [dayOf(year, 12, 25), 'Christmas Day'],
    [dayOf(year, 12, 26), "St. Stephen's Day"],
  ];
}

function goodFridayAndEasterMonday(year: number): NamedDay[] {
  const easter = easterSunday(year);
  return [
    [easter - 2, 'Good Friday'],
    [easter + 1, 'Easter Monday'],
  ];
}

function christmasAndBoxingDay(year: number): NamedDay[] {
  return pairObservedAfterWeekend(dayOf(year, 12, 25), 'Christmas Day', 'Boxing Day');
}
