/** Bank holidays of the calendar's nine currencies, computed because no feed covers three weeks ahead. */
import { dayOfIso, isoOfDay, yearOfDay } from '../../time/calendar-day.ts';
import { CALENDAR_CURRENCIES, HOLIDAY_RULES } from './bank-holiday-rules.ts';

export interface BankHoliday {
  /** `YYYY-MM-DD`, the local day of the holiday. */
  date: string;
  /** Currency code: USD, EUR, GBP, JPY, AUD, NZD, CAD, CHF, CNY. */
  country: string;
  title: string;
}

/** A longer span is a caller's mistake. */
const MAX_DAYS = 3700;

/** Both days included; by date, then country, one a country and day. @throws RangeError for over ten years */
export function bankHolidays(fromDate: string, toDate: string): BankHoliday[] {
  const [from, to] = [dayOfIso(fromDate), dayOfIso(toDate)];
  if (to - from > MAX_DAYS) throw new RangeError('a calendar of more than ten years');
  const found = new Map<string, BankHoliday>();
  // Starts a year earlier, because a rule may return a day of the following year.
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
