/**
 * Weekly trading hours of the exchanges, in New York wall time, so that both changes of clock fall out right.
 * Holidays are not known here: on one the market is just quiet. Source: market facts, section 4.
 */
import { zoneOffsetS } from '../time/zone-offset.ts';
import { MINUTE_S } from './candle.ts';
import type { HoursId } from './symbols.ts';

const DAY_MIN = 24 * 60;
const WEEK_MIN = 7 * DAY_MIN;
const NEW_YORK = 'America/New_York';
/** Epoch day 0 was a Thursday; weeks here begin on Sunday. */
const EPOCH_WEEKDAY = 4;

/** Minutes since Sunday 00:00 local: `[open, close)`. */
type Session = readonly [open: number, close: number];

const at = (weekday: number, hour: number, minute = 0): number => weekday * DAY_MIN + hour * 60 + minute;
const WEEKDAYS = [1, 2, 3, 4, 5];

/** Null: never closed. Sessions ascend and do not overlap. */
const WEEK: Readonly<Record<HoursId, readonly Session[] | null>> = {
  always: null,
  nasdaq: WEEKDAYS.map((day) => [at(day, 9, 30), at(day, 16)] as const),
  comex: WEEKDAYS.map((day) => [at(day - 1, 18), at(day, 17)] as const),
  nymex: WEEKDAYS.map((day) => [at(day - 1, 18), at(day, 17)] as const),
  'ice-us': WEEKDAYS.map((day) => [at(day - 1, day === 1 ? 18 : 20), at(day, 17)] as const),
};

/** True when the minute that holds `epochS` is traded. */
export function isOpen(hours: HoursId, epochS: number): boolean {
  const sessions = WEEK[hours];
  if (sessions === null) return true;
  const minute = minuteOfWeek(epochS);
  return sessions.some(([open, close]) => open <= minute && minute < close);
}

/** Start of the first traded minute at or after `epochS`, epoch seconds. */
export function nextOpen(hours: HoursId, epochS: number): number {
  const fromS = Math.ceil(epochS / MINUTE_S) * MINUTE_S;
  const sessions = WEEK[hours];
  if (sessions === null || isOpen(hours, fromS)) return fromS;
  const minute = minuteOfWeek(fromS);
  const opens = sessions.map(([open]) => (open > minute ? open : open + WEEK_MIN));
  return shiftLocal(fromS, Math.min(...opens) - minute);
}

/** Start of the last traded minute at or before the minute that holds `epochS`, epoch seconds. */
export function lastOpenMinute(hours: HoursId, epochS: number): number {
  const fromS = Math.floor(epochS / MINUTE_S) * MINUTE_S;
  const sessions = WEEK[hours];
  if (sessions === null || isOpen(hours, fromS)) return fromS;
  const minute = minuteOfWeek(fromS);
  const lasts = sessions.map(([, close]) => (close <= minute ? close - 1 : close - 1 - WEEK_MIN));
  return shiftLocal(fromS, Math.max(...lasts) - minute);
}

/** Seconds of the exchange's wall clock, as if it were UTC; UTC itself for markets that never close. */
export function toExchangeWallS(hours: HoursId, epochS: number): number {
  return hours === 'always' ? epochS : epochS + zoneOffsetS(NEW_YORK, epochS);
}

/** The inverse of `toExchangeWallS`. No exchange here trades in the doubled or the missing hour. */
export function fromExchangeWallS(hours: HoursId, wallS: number): number {
  if (hours === 'always') return wallS;
  const guessS = wallS - zoneOffsetS(NEW_YORK, wallS);
  return wallS - zoneOffsetS(NEW_YORK, guessS);
}

function shiftLocal(epochS: number, minutes: number): number {
  const wallS = toExchangeWallS('nasdaq', epochS) + minutes * MINUTE_S;
  return fromExchangeWallS('nasdaq', wallS);
}

function minuteOfWeek(epochS: number): number {
  const minute = Math.floor((epochS + zoneOffsetS(NEW_YORK, epochS)) / MINUTE_S) + EPOCH_WEEKDAY * DAY_MIN;
  return ((minute % WEEK_MIN) + WEEK_MIN) % WEEK_MIN;
}
