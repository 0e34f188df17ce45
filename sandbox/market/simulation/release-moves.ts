/** The simulated market moves at the American releases of its own calendar, about as much as the real one did. */

import { releaseKindOf } from '#domain/market/calendar/release-kinds.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { weekdayOf } from '#domain/time/calendar-day.ts';
import { announcementsOf } from '../dialects/reference/calendar-week.ts';

const DAY_MIN = 1440;
/** Times an ordinary minute's move, from so many minutes after the release on. */
const AFTER_INFLATION = [
  [0, 5],
  [1, 2],
  [10, 1.7],
  [20, 1.3],
  [60, 1],
] as const;
const AFTER_OTHERS = [
  [0, 1.5],
  [1, 1.15],
  [20, 1],
] as const;

/** @param day  UTC, since 1970. @returns factors on the moves of its minutes, at least 1 */
export function releaseMoves(seed: string, day: number): Float64Array {
  const factors = new Float64Array(DAY_MIN).fill(1);
  const sunday = day - weekdayOf(day);
  for (const { title, country, impact, date } of announcementsOf(seed, sunday)) {
    if (country !== 'USD' || impact !== 'High') continue;
    const from = Date.parse(date) / 1000 / MINUTE_S - day * DAY_MIN;
    const steps = releaseKindOf(country, title) === 'inflation' ? AFTER_INFLATION : AFTER_OTHERS;
    for (const [i, [start, factor]] of steps.entries()) {
      const end = steps[i + 1]?.[0] ?? start;
      for (let minute = Math.max(0, from + start); minute < Math.min(DAY_MIN, from + end); minute++)
        factors[minute] = Math.max(factors[minute] ?? 1, factor);
    }
  }
  return factors;
}
