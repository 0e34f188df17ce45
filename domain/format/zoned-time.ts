/** The texts are the same on every machine; only offsets and zone names come from the machine's tables. */
import { zoneOffsetS } from '../time/zone-offset.ts';

/** '23 Oct 2026, 08:08 GMT+2'; in UTC '23 Oct 2026, 06:08 UTC'. @throws RangeError for an invalid date or zone */
export function zonedMinute(timeMs: number, zone: string): string {
  return `${zonedDay(timeMs, zone)}, ${zonedClock(timeMs, zone)} ${zoneName(timeMs, zone)}`;
}

/** '23 Oct 2026, 08:08:59 GMT+2': the exact time behind a rounded one. @throws RangeError */
export function zonedSecond(timeMs: number, zone: string): string {
  return `${zonedDay(timeMs, zone)}, ${zonedClock(timeMs, zone, true)} ${zoneName(timeMs, zone)}`;
}

/** '23 Oct 2026'. @throws RangeError */
export function zonedDay(timeMs: number, zone: string): string {
  return formatWallTime(timeMs, zone).slice(5, 16).replace(/^0/, '');
}

/** '23 Oct', for when the year is clear. @throws RangeError */
export function zonedShortDay(timeMs: number, zone: string): string {
  return zonedDay(timeMs, zone).slice(0, -5);
}

/** '12 Nov, 14:05' */
export function zonedShortMinute(timeMs: number, zone: string): string {
  return `${zonedShortDay(timeMs, zone)}, ${zonedClock(timeMs, zone)}`;
}

/** 'Fri, 23 Oct'. @throws RangeError */
export function zonedNamedDay(timeMs: number, zone: string): string {
  return `${zonedWeekday(timeMs, zone)}, ${zonedShortDay(timeMs, zone)}`;
}

/** '2026-10-23': comparable days. @throws RangeError */
export function zonedDate(timeMs: number, zone: string): string {
  return wallTime(timeMs, zone).toISOString().slice(0, 10);
}

/** 'Fri'. @throws RangeError */
export function zonedWeekday(timeMs: number, zone: string): string {
  return formatWallTime(timeMs, zone).slice(0, 3);
}

/** 'Fri 14:05', for a time within a week. @throws RangeError */
export function zonedWeekMinute(timeMs: number, zone: string): string {
  return `${zonedWeekday(timeMs, zone)} ${zonedClock(timeMs, zone)}`;
}

/** '08:08', with seconds '08:08:59'. @throws RangeError */
export function zonedClock(timeMs: number, zone: string, withSeconds = false): string {
  return formatWallTime(timeMs, zone).slice(17, withSeconds ? 25 : 22);
}

/** The same, with the zone's name near a clock change, when one reading may mean two moments: '02:30 GMT+2'. */
export function zonedMoment(timeMs: number, zone: string): string {
  const timeS = Math.floor(timeMs / 1000);
  const isNearChange = zoneOffsetS(zone, timeS - NEAR_S) !== zoneOffsetS(zone, timeS + NEAR_S);
  const clock = zonedClock(timeMs, zone);
  return isNearChange ? `${clock} ${zoneName(timeMs, zone)}` : clock;
}

const NEAR_S = 4 * 3600;

/**
 * A time close to now, as short as it is clear: '08:08' today, '23 Oct, 08:08' on another day of this year, else
 * '23 Oct 2025, 08:08'. @throws RangeError
 */
export function zonedRecent(timeMs: number, nowMs: number, zone: string): string {
  const clock = zonedMoment(timeMs, zone);
  const [day, today] = [zonedDay(timeMs, zone), zonedDay(nowMs, zone)];
  if (day === today) return clock;
  return `${day.slice(-4) === today.slice(-4) ? zonedShortDay(timeMs, zone) : day}, ${clock}`;
}

/** Cached per zone, because creating a formatter takes some hundred times as long as using it. */
const nameFormats = new Map<string, Intl.DateTimeFormat>();

/** The zone's name at that moment: 'UTC', 'GMT+2', 'EST'. @throws RangeError */
export function zoneName(timeMs: number, zone: string): string {
  let format = nameFormats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' });
    nameFormats.set(zone, format);
  }
  return format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/** True for an IANA name that this machine knows. */
export function isKnownZone(zone: string): boolean {
  try {
    zoneOffsetS(zone, 0);
    return true;
  } catch {
    // RangeError: no such zone.
    return false;
  }
}

/** 'Fri, 23 Oct 2026 08:08:59 GMT', whose zone is to be ignored. ECMAScript fixes this format. */
function formatWallTime(timeMs: number, zone: string): string {
  const utcText = wallTime(timeMs, zone).toUTCString();
  if (utcText === 'Invalid Date') throw new RangeError('No date');
  return utcText;
}

/** The zone's wall time, as if it were UTC. */
function wallTime(timeMs: number, zone: string): Date {
  return new Date(timeMs + zoneOffsetS(zone, Math.floor(timeMs / 1000)) * 1000);
}
