/** Dates inside a text: manifests hold '2025-01-01', prose has '1 Jan 2025'. */
import { zonedDay } from './zoned-time.ts';

const ISO_DATE = /\b(\d{4}-\d{2}-\d{2})\b/g;

/** Leaves an invalid date as it is. */
export function spellDates(text: string): string {
  return text.replaceAll(ISO_DATE, (date) => {
    const at = new Date(`${date}T00:00:00Z`);
    // JavaScript reads '2025-02-30' as a day of March.
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? zonedDay(at.getTime(), 'UTC') : date;
  });
}
