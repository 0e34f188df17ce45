/** Where a minute lies in its hour, day and week. */
import type { AssetClass } from '#domain/market/symbols.ts';

const DAY_S = 86_400;
const HOUR_S = 3600;

/** Elapsed share of the day, 0 to 1: UTC for crypto, New York for the rest. */
export function dayPhase(timeS: number, assetClass: AssetClass): number {
  const localS = assetClass === 'crypto' ? timeS : timeS + newYorkOffsetS(timeS);
  return (((localS % DAY_S) + DAY_S) % DAY_S) / DAY_S;
}

/** Elapsed share of the hour, 0 to 1. */
export function hourPhase(timeS: number): number {
  return (timeS % HOUR_S) / HOUR_S;
}

/** Daylight saving from the second Sunday of March 07:00 UTC to the first Sunday of November 06:00 UTC. */
function newYorkOffsetS(timeS: number): number {
  const year = new Date(timeS * 1000).getUTCFullYear();
  const startS = sundayS(year, 2, 8) + 7 * HOUR_S;
  const endS = sundayS(year, 10, 1) + 6 * HOUR_S;
  return timeS >= startS && timeS < endS ? -4 * HOUR_S : -5 * HOUR_S;
}

/** Midnight UTC of the first Sunday on or after the given day. */
function sundayS(year: number, month: number, day: number): number {
  const first = new Date(Date.UTC(year, month, day));
  return first.getTime() / 1000 + ((7 - first.getUTCDay()) % 7) * DAY_S;
}

const SLOT_S = 300;
const SLOTS_A_DAY = DAY_S / SLOT_S;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;

/** 0 to 287, or 288 to 575 on a weekend: New York time, by which shares open and hourly news is published. */
export function calendarSlot(timeS: number): number {
  const localS = timeS + newYorkOffsetS(timeS);
  const day = Math.floor(localS / DAY_S);
  const weekday = (day + EPOCH_WEEKDAY) % 7;
  const slot = Math.floor((localS - day * DAY_S) / SLOT_S);
  return weekday === 0 || weekday === 6 ? SLOTS_A_DAY + slot : slot;
}

/** Elapsed share of the week since Sunday 00:00 UTC, 0 to 1. */
export function weekPhase(timeS: number): number {
  return ((timeS / DAY_S + EPOCH_WEEKDAY) % 7) / 7;
}
