/** Days and times as an email writes them. */
import { isKnownZone, zonedDay, zonedMinute, zonedShortDay } from '#domain/format/zoned-time.ts';

/** In the owner's zone, UTC where none is known. Epoch seconds in. */
export interface Dates {
  /** '22 Dec 2026' */
  day(timeS: number): string;
  /** '22 Dec 2026, 08:08 UTC' */
  minute(timeS: number): string;
  /** '22 Nov – 22 Dec 2026' */
  period(startS: number, endS: number): string;
}

/** @param timezone  of the profile: any text, or none */
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
