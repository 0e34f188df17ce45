/** Calendar days as whole numbers since 1 January 1970, so that rules about weekdays are plain arithmetic. */
const DAY_MS = 86_400_000;
/** Day 0 was a Thursday; weekdays count from Sunday, 0. */
const FIRST_WEEKDAY = 4;

/** @param month  1 to 12; days beyond a month's end continue into the next */
export function dayOf(year: number, month: number, dayOfMonth: number): number {
  return Date.UTC(year, month - 1, dayOfMonth) / DAY_MS;
}

/** Day of `YYYY-MM-DD`. @throws RangeError for anything else, 30 February included */
export function dayOfIso(isoDate: string): number {
  const day = /^\d{4}-\d\d-\d\d$/.test(isoDate) ? Date.parse(`${isoDate}T00:00:00Z`) / DAY_MS : Number.NaN;
  if (Number.isNaN(day) || isoOfDay(day) !== isoDate) throw new RangeError(`'${isoDate.slice(0, 20)}' isn't a date`);
  return day;
}

/** `YYYY-MM-DD`. */
export function isoOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function yearOfDay(day: number): number {
  return new Date(day * DAY_MS).getUTCFullYear();
}

/** 0 is Sunday, 6 Saturday. */
export function weekdayOf(day: number): number {
  return (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
}

export function isWeekend(day: number): boolean {
  const weekday = weekdayOf(day);
  return weekday === 0 || weekday === 6;
}

export function nthWeekday(year: number, month: number, weekday: number, n: number): number {
  const first = dayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (n - 1) * 7;
}

export function lastWeekday(year: number, month: number, weekday: number): number {
  const last = dayOf(year, month + 1, 0);
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** Western Easter Sunday, by the anonymous Gregorian algorithm (Meeus). */
export function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const sum = h + l - 7 * m + 114;
  return dayOf(year, Math.floor(sum / 31), (sum % 31) + 1);
}
