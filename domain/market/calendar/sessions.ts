/** Sessions by their cities' wall clocks, so that clock changes move the UTC hours. */
import { zoneOffsetS } from '../../time/zone-offset.ts';

const HOUR_S = 3600;
const DAY_S = 86_400;
/** Epoch day 0 was a Thursday; Sunday is 0. */
const EPOCH_WEEKDAY = 4;

export const SESSION_STATUSES = ['Open', 'Closed', 'Closed (Holiday)'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];

/** Wire format. Hours of the UTC day in [0, 24), fractions allowed; `startUTC > endUTC` passes midnight UTC. */
export interface TradingSession {
  session: string;
  status: SessionStatus;
  startUTC: number;
  endUTC: number;
}

interface SessionHours {
  session: string;
  zone: string;
  /** Currency whose holidays close it. */
  country: string;
  /** Hours of the local day, Monday to Friday: `[open, close)`. */
  openHour: number;
  closeHour: number;
}

export const SESSION_HOURS: readonly SessionHours[] = [
  { session: 'Sydney', zone: 'Australia/Sydney', country: 'AUD', openHour: 7, closeHour: 16 },
  { session: 'Tokyo', zone: 'Asia/Tokyo', country: 'JPY', openHour: 9, closeHour: 18 },
  { session: 'London', zone: 'Europe/London', country: 'GBP', openHour: 8, closeHour: 17 },
  { session: 'New York', zone: 'America/New_York', country: 'USD', openHour: 8, closeHour: 17 },
];

/** @param isHoliday  on a session's local day (YYYY-MM-DD) @returns hours of the UTC day */
export function sessionsAt(nowMs: number, isHoliday: (country: string, date: string) => boolean): TradingSession[] {
  return SESSION_HOURS.map((hours) => sessionAt(hours, Math.floor(nowMs / 1000), isHoliday));
}

function sessionAt(
  { session, zone, country, openHour, closeHour }: SessionHours,
  nowS: number,
  isHoliday: (country: string, date: string) => boolean,
): TradingSession {
  const wallS = nowS + zoneOffsetS(zone, nowS);
  const day = Math.floor(wallS / DAY_S);
  const openS = fromWallS(zone, day * DAY_S + openHour * HOUR_S);
  const closeS = fromWallS(zone, day * DAY_S + closeHour * HOUR_S);
  const weekday = (((day + EPOCH_WEEKDAY) % 7) + 7) % 7;
  const isTraded = weekday >= 1 && weekday <= 5 && openS <= nowS && nowS < closeS;
  const isAtRest = isHoliday(country, new Date(day * DAY_S * 1000).toISOString().slice(0, 10));
  const status = isAtRest ? 'Closed (Holiday)' : isTraded ? 'Open' : 'Closed';
  return { session, status, startUTC: hourOfDay(openS), endUTC: hourOfDay(closeS) };
}

/** Safe here: no city changes its clocks during its session, nor near enough to its opening for the guess to miss. */
function fromWallS(zone: string, wallS: number): number {
  const guessS = wallS - zoneOffsetS(zone, wallS);
  return wallS - zoneOffsetS(zone, guessS);
}

function hourOfDay(epochS: number): number {
  return (((epochS % DAY_S) + DAY_S) % DAY_S) / HOUR_S;
}
