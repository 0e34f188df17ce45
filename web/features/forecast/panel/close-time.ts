/** Close time of the last candle, in the shortest unambiguous form. */
import { zonedClock, zonedDate, zonedShortDay, zonedWeekday } from '#domain/format/zoned-time.ts';

const DAY_MS = 86_400_000;

/** '21:00' for today, 'Fri 21:00' within the last six days, '6 Nov, 21:00' for earlier days. */
export function closeTimeLabel(closedAtS: number, nowMs: number, zone: string): string {
  const closedAtMs = closedAtS * 1000;
  const dayOf = (timeMs: number) => Date.parse(zonedDate(timeMs, zone)) / DAY_MS;
  const daysAgo = dayOf(nowMs) - dayOf(closedAtMs);
  const clock = zonedClock(closedAtMs, zone);
  if (daysAgo <= 0) return clock;
  return daysAgo > 6 ? `${zonedShortDay(closedAtMs, zone)}, ${clock}` : `${zonedWeekday(closedAtMs, zone)} ${clock}`;
}
