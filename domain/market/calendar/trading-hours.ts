/** In New York wall time, so that both clock changes come out right. */
import { zoneOffsetS } from '../../time/zone-offset.ts';
import { MINUTE_S } from '../candle.ts';
import type { HoursId } from '../symbols.ts';
import { earlyEndOf } from './exchange-closures.ts';

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

/** True when the market is open in the minute that holds `epochS`. */
export function isOpen(hours: HoursId, epochS: number): boolean {
  const sessions = WEEK[hours];
  if (hours === 'always' || sessions === null) return true;
  const minute = wallMinute(epochS);
  const sunday = minute - minuteOfWeek(minute);
  const session = sessions.find(([open, close]) => sunday + open <= minute && minute < sunday + close);
  return session !== undefined && minute < endOf(hours, sunday + session[1]);
}

/** Ignores holidays: in a replay of recorded days, today's do not matter. */
export function isInWeek(hours: HoursId, epochS: number): boolean {
  const minute = minuteOfWeek(wallMinute(epochS));
  return WEEK[hours]?.some(([open, close]) => open <= minute && minute < close) ?? true;
}

/** Start of the first open minute at or after `epochS`, epoch seconds. */
export function nextOpen(hours: HoursId, epochS: number): number {
  const fromS = Math.ceil(epochS / MINUTE_S) * MINUTE_S;
  const sessions = WEEK[hours];
  if (hours === 'always' || sessions === null || isOpen(hours, fromS)) return fromS;
  const minute = wallMinute(fromS);
  for (let sunday = minute - minuteOfWeek(minute); ; sunday += WEEK_MIN) {
    const next = sessions.find(
      ([open, close]) => sunday + open >= minute && endOf(hours, sunday + close) > sunday + open,
    );
    if (next !== undefined) return fromExchangeWallS(hours, (sunday + next[0]) * MINUTE_S);
  }
}

/** Start of the week's session that holds `epochS`, epoch seconds; null outside of them. Ignores holidays. */
export function sessionStart(hours: HoursId, epochS: number): number | null {
  const minute = wallMinute(epochS);
  const sunday = minute - minuteOfWeek(minute);
  const session = WEEK[hours]?.find(([open, close]) => sunday + open <= minute && minute < sunday + close);
  return session === undefined ? null : fromExchangeWallS(hours, (sunday + session[0]) * MINUTE_S);
}

/** Start of the last open minute at or before the minute that holds `epochS`, epoch seconds. */
export function lastOpenMinute(hours: HoursId, epochS: number): number {
  const fromS = Math.floor(epochS / MINUTE_S) * MINUTE_S;
  const sessions = WEEK[hours];
  if (hours === 'always' || sessions === null || isOpen(hours, fromS)) return fromS;
  const minute = wallMinute(fromS);
  for (let sunday = minute - minuteOfWeek(minute); ; sunday -= WEEK_MIN) {
    const last = sessions.findLast(([open, close]) => {
      const end = endOf(hours, sunday + close);
      return end > sunday + open && end <= minute;
    });
    if (last !== undefined) return fromExchangeWallS(hours, (endOf(hours, sunday + last[1]) - 1) * MINUTE_S);
  }
}

/** Start of the last `count` open minutes before `endS`, epoch seconds. */
export function openMinutesBack(hours: HoursId, endS: number, count: number): number {
  let startS = Math.ceil(endS / MINUTE_S) * MINUTE_S;
  if (hours === 'always') return startS - count * MINUTE_S;
  for (let i = 0; i < count; i++) startS = lastOpenMinute(hours, startS - MINUTE_S);
  return startS;
}

/** Seconds of the exchange's wall clock, as if it were UTC; UTC itself for markets that never close. */
export function toExchangeWallS(hours: HoursId, epochS: number): number {
  return hours === 'always' ? epochS : epochS + zoneOffsetS(NEW_YORK, epochS);
}

/** The inverse of `toExchangeWallS`. Safe because no exchange here trades in the repeated or the missing hour. */
export function fromExchangeWallS(hours: HoursId, wallS: number): number {
  if (hours === 'always') return wallS;
  const guessS = wallS - zoneOffsetS(NEW_YORK, wallS);
  return wallS - zoneOffsetS(NEW_YORK, guessS);
}

/** The actual end of a session due to end at `close`; minutes of the wall clock. On a closed day, before its start. */
function endOf(hours: Exclude<HoursId, 'always'>, close: number): number {
  const tradeDay = Math.floor((close - 1) / DAY_MIN);
  const early = earlyEndOf(hours, tradeDay);
  return early === undefined ? close : Math.min(close, tradeDay * DAY_MIN + early);
}

/** Minutes of New York's wall clock since 1 January 1970 there. */
function wallMinute(epochS: number): number {
  return Math.floor((epochS + zoneOffsetS(NEW_YORK, epochS)) / MINUTE_S);
}

function minuteOfWeek(minute: number): number {
  return (((minute + EPOCH_WEEKDAY * DAY_MIN) % WEEK_MIN) + WEEK_MIN) % WEEK_MIN;
}
