/**
 * Holidays that follow the moon or the sun. Some are computed; the rest are in tables for 2024 to 2035, and other years
 * have none of these days. The Chinese days are checked against Node's own calendar.
 */
import { dayOf, dayOfIso } from '../../time/calendar-day.ts';

export interface ChineseDays {
  springFestival: number;
  dragonBoat: number;
  midAutumn: number;
}

/** First day of the first month, fifth of the fifth, fifteenth of the eighth. */
const CHINESE_DAYS: Readonly<Record<number, readonly [string, string, string]>> = {
  2024: ['2024-02-10', '2024-06-10', '2024-09-17'],
  2025: ['2025-01-29', '2025-05-31', '2025-10-06'],
  2026: ['2026-02-17', '2026-06-19', '2026-09-25'],
  2027: ['2027-02-06', '2027-06-09', '2027-09-15'],
  2028: ['2028-01-26', '2028-05-28', '2028-10-03'],
  2029: ['2029-02-13', '2029-06-16', '2029-09-22'],
  2030: ['2030-02-03', '2030-06-05', '2030-09-12'],
  2031: ['2031-01-23', '2031-06-24', '2031-10-01'],
  2032: ['2032-02-11', '2032-06-12', '2032-09-19'],
  2033: ['2033-01-31', '2033-06-01', '2033-09-08'],
  2034: ['2034-02-19', '2034-06-20', '2034-09-27'],
  2035: ['2035-02-08', '2035-06-10', '2035-09-16'],
};

/** New Zealand's Te Kahui o Matariki Public Holiday Act 2022, schedule 1. */
const MATARIKI: Readonly<Record<number, string>> = {
  2024: '2024-06-28',
  2025: '2025-06-20',
  2026: '2026-07-10',
  2027: '2027-06-25',
  2028: '2028-07-14',
  2029: '2029-07-06',
  2030: '2030-06-21',
  2031: '2031-07-11',
  2032: '2032-07-02',
  2033: '2033-06-24',
  2034: '2034-07-07',
  2035: '2035-06-29',
};

export function chineseDays(year: number): ChineseDays | null {
  const row = CHINESE_DAYS[year];
  if (row === undefined) return null;
  const [springFestival, dragonBoat, midAutumn] = row;
  return {
    springFestival: dayOfIso(springFestival),
    dragonBoat: dayOfIso(dragonBoat),
    midAutumn: dayOfIso(midAutumn),
  };
}

export function matariki(year: number): number | null {
  const date = MATARIKI[year];
  return date === undefined ? null : dayOfIso(date);
}

/** Qingming, 4 or 5 April: the customary formula of solar terms, valid for this century. */
export function qingming(year: number): number {
  const y = year % 100;
  return dayOf(year, 4, Math.floor(y * 0.2422 + 4.81) - Math.floor(y / 4));
}

/** Japan's equinox days, Tokyo time: the customary formula, valid 1980 to 2099. Official dates come a year ahead. */
export function japaneseEquinoxes(year: number): { vernal: number; autumnal: number } {
  const since = year - 1980;
  const drift = 0.242194 * since - Math.floor(since / 4);
  return {
    vernal: dayOf(year, 3, Math.floor(20.8431 + drift)),
    autumnal: dayOf(year, 9, Math.floor(23.2488 + drift)),
  };
}
