/** Bank holidays of the calendar's nine currencies, computed: no feed knows three weeks ahead. Source: community facts, section 2. */
import { dayOfIso, isoOfDay, yearOfDay } from '../../time/calendar-day.ts';
import { CALENDAR_CURRENCIES, HOLIDAY_RULES } from './bank-holiday-rules.ts';

export interface BankHoliday {
  /** `YYYY-MM-DD`, the day where the holiday is kept. */
  date: string;
  /** Currency code: USD, EUR, GBP, JPY, AUD, NZD, CAD, CHF, CNY. */
  country: string;
  title: string;
}

/** A span beyond this is a mistake, not a calendar. */
const MAX_DAYS = 3700;

/**
 * Holidays from `fromDate` to `toDate` inclusive (both `YYYY-MM-DD`), sorted by date, then by country; one of each
 * country a day.
 * @throws RangeError for texts that are no dates and for spans of more than ten years
 */
export function bankHolidays(fromDate: string, toDate: string): BankHoliday[] {
  const [from, to] = [dayOfIso(fromDate), dayOfIso(toDate)];
  if (to - from > MAX_DAYS) throw new RangeError('a calendar of more than ten years');
  const found = new Map<string, BankHoliday>();
  // From the year before: a rule may give a day of the year after.
  for (let year = yearOfDay(from) - 1; year <= yearOfDay(to); year++) {
    for (const country of CALENDAR_CURRENCIES) {
      for (const [day, title] of HOLIDAY_RULES[country](year)) {
        if (day < from || day > to) continue;
        const date = isoOfDay(day);
        const key = `${date} ${country}`;
        if (!found.has(key)) found.set(key, { date, country, title });
      }
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, holiday]) => holiday);
}
