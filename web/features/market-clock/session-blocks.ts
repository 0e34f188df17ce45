/** A session's UTC hours on the viewer's day, from midnight to midnight: one block, or two if it passes midnight. */
import { zonedClock, zonedDate } from '#domain/format/zoned-time.ts';
import { zoneOffsetS } from '#domain/time/zone-offset.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours of the viewer's day, `[start, end)`, within 0 to 24. */
export interface Block {
  startHour: number;
  endHour: number;
}

/** A session's start and end on the viewer's clock; the hours may lie beyond a day. */
export function viewerHours(session: { startUTC: number; endUTC: number }, nowMs: number, zone: string): Block {
  const onClock = (hourUTC: number) => hourUTC + offsetHours(hourUTC, nowMs, zone);
  return { startHour: onClock(session.startUTC), endHour: onClock(session.endUTC) };
}

/** The viewer's UTC offset at that hour of the viewer's day, since daylight saving time may change during it. */
function offsetHours(hourUTC: number, nowMs: number, zone: string): number {
  const today = zonedDate(nowMs, zone);
  const ofUtcDay = Math.floor(nowMs / DAY_MS) * DAY_MS + hourUTC * HOUR_MS;
  const ms = [ofUtcDay, ofUtcDay - DAY_MS, ofUtcDay + DAY_MS].find((each) => zonedDate(each, zone) === today) ?? nowMs;
  return (zoneOffsetS(zone, Math.floor(ms / 1000)) * 1000) / HOUR_MS;
}

/** @param hours  those beyond a day wrap around  @returns blocks in the order of the day */
export function blocksOf(hours: Block): Block[] {
  const startHour = hourOfDay(hours.startHour);
  const endHour = startHour + hourOfDay(hours.endHour - hours.startHour);
  if (endHour <= 24) return [{ startHour, endHour }];
  return [
    { startHour: 0, endHour: endHour - 24 },
    { startHour, endHour: 24 },
  ];
}

/** '9 PM to 6 AM', '2:30 AM to 11:30 AM'. */
export function formatHours({ startHour, endHour }: Block): string {
  return `${formatHour(startHour)} to ${formatHour(endHour)}`;
}

/** '2:20 PM', '2:00 PM': a time on the viewer's clock. */
export function formatClock(ms: number, zone: string): string {
  const [hour, minute] = zonedClock(ms, zone).split(':');
  return formatHour(Number(hour)).replace(' ', `:${minute} `);
}

/** '12 AM', '2:30 PM'; hours beyond a day wrap around. */
export function formatHour(hour: number): string {
  const minutes = Math.round(hourOfDay(hour) * 60) % 1440;
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  const clock = m === 0 ? String(h % 12 || 12) : `${h % 12 || 12}:${String(m).padStart(2, '0')}`;
  return `${clock} ${h < 12 ? 'AM' : 'PM'}`;
}

function hourOfDay(hour: number): number {
  return ((hour % 24) + 24) % 24;
}
