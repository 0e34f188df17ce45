/** Sessions by their cities' wall clocks, so that clock changes move the UTC hours. */
import { isoOfDay, isWeekend } from '../../time/calendar-day.ts';
import { zoneOffsetS } from '../../time/zone-offset.ts';

const HOUR_S = 3600;
const DAY_S = 86_400;
const SOON_DAYS = 7;

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

/** Whether a currency's banks are closed on a day in their country (YYYY-MM-DD). */
export type IsHoliday = (country: string, date: string) => boolean;

/** @returns hours of the UTC day */
export function sessionsAt(nowMs: number, isHoliday: IsHoliday): TradingSession[] {
  return SESSION_HOURS.map((hours) => sessionAt(hours, Math.floor(nowMs / 1000), isHoliday));
}

function sessionAt(hours: SessionHours, nowS: number, isHoliday: IsHoliday): TradingSession {
  const day = localDay(hours, nowS);
  const { openS, closeS } = spanOf(hours, day);
  const isTraded = !isWeekend(day) && openS <= nowS && nowS < closeS;
  const status = isHoliday(hours.country, isoOfDay(day)) ? 'Closed (Holiday)' : isTraded ? 'Open' : 'Closed';
  return { session: hours.session, status, startUTC: hourOfDay(openS), endUTC: hourOfDay(closeS) };
}

export interface SessionChange {
  atMs: number;
  /** Sessions that open or close at that moment, in the order of the table. */
  opening: readonly string[];
  closing: readonly string[];
}

/**
 * The next moment at which a session opens or closes.
 *
 * @returns null if none does within the next seven days
 */
export function nextSessionChange(nowMs: number, isHoliday: IsHoliday): SessionChange | null {
  const nowS = Math.floor(nowMs / 1000);
  const coming = SESSION_HOURS.flatMap((hours) => comingSpans(hours, nowS, isHoliday));
  const moments = coming.flatMap(({ openS, closeS }) => [openS, closeS]).filter((atS) => atS > nowS);
  const atS = Math.min(...moments);
  if (atS - nowS > SOON_DAYS * DAY_S) return null;
  const named = (isAt: (span: SessionSpan) => boolean) => coming.filter(isAt).map(({ session }) => session);
  return {
    atMs: atS * 1000,
    opening: named(({ openS }) => openS === atS),
    closing: named(({ closeS }) => closeS === atS),
  };
}

interface SessionSpan {
  session: string;
  openS: number;
  closeS: number;
}

/** The session's spans of the local days from today on, without weekends and holidays. */
function comingSpans(hours: SessionHours, nowS: number, isHoliday: IsHoliday): SessionSpan[] {
  const today = localDay(hours, nowS);
  return Array.from({ length: SOON_DAYS + 1 }, (_, i) => today + i)
    .filter((day) => !isWeekend(day) && !isHoliday(hours.country, isoOfDay(day)))
    .map((day) => ({ session: hours.session, ...spanOf(hours, day) }));
}

function localDay({ zone }: SessionHours, nowS: number): number {
  return Math.floor((nowS + zoneOffsetS(zone, nowS)) / DAY_S);
}

function spanOf({ zone, openHour, closeHour }: SessionHours, day: number): { openS: number; closeS: number } {
  return {
    openS: fromWallS(zone, day * DAY_S + openHour * HOUR_S),
    closeS: fromWallS(zone, day * DAY_S + closeHour * HOUR_S),
  };
}

/** Safe here: no city changes its clocks during its session, nor near enough to its opening for the guess to miss. */
function fromWallS(zone: string, wallS: number): number {
  const guessS = wallS - zoneOffsetS(zone, wallS);
  return wallS - zoneOffsetS(zone, guessS);
}

function hourOfDay(epochS: number): number {
  return (((epochS % DAY_S) + DAY_S) % DAY_S) / HOUR_S;
}
