/** Formats dates and times for emails. */
import { isKnownZone, zonedDay, zonedMinute, zonedShortDay } from '#domain/format/zoned-time.ts';

/** Uses the owner's time zone, or UTC if it is unknown. Takes epoch seconds. */
export interface Dates {
  /** '22 Dec 2026' */
  day(timeS: number): string;
  /** '22 Dec 2026, 08:08 UTC' */
  minute(timeS: number): string;
  /** '22 Nov – 22 Dec 2026' */
  period(startS: number, endS: number): string;
}

/** @param timezone  the profile's: any text, or null */
export function datesIn(timezone: string | null): Dates {
  const zone = timezone !== null && isKnownZone(timezone) ? timezone : 'UTC';
  const day = (timeS: number) => zonedDay(timeS * 1000, zone);
  return {
    day,
    minute: (timeS) => zonedMinute(timeS * 1000, zone),
    period(startS, endS) {
      const isOneYear = day(startS).slice(-4) === day(endS).slice(-4);
      return `${isOneYear ? zonedShortDay(startS * 1000, zone) : day(startS)} – ${day(endS)}`;
    },
  };
}
