/**
 * The clock windows whose chances enter the public record, and the fixed minutes at which they do. The calendar alone
 * decides, so anyone can count what is missing. docs/decisions/074-chances-in-the-record.md
 */
import type { ModelName } from '../../forecast/models.ts';
import { MINUTE_S } from '../../market/candle.ts';
import type { MarketSymbol } from '../../market/symbols.ts';

/** Minutes of a window, from a whole multiple of its length, UTC. */
export const RECORDED_WINDOWS = [5, 15] as const;
export type RecordedWindow = (typeof RECORDED_WINDOWS)[number];

/** Minutes of a window that are over when its chance is recorded. */
export const CHANCE_MINUTES: Readonly<Record<RecordedWindow, readonly number[]>> = { 5: [1, 3], 15: [3, 8, 12] };

/** The model whose chances are recorded. */
export const CHANCE_MODEL = 'lion' satisfies ModelName;

/** A chance is recorded within this time of its moment, market time. Later, the price may know more than the chance. */
export const CHANCE_WITHIN_MS = 30_000;

/** Chances are recorded of coins alone: they trade at every minute. */
export function isChanceRecorded({ hours }: Pick<MarketSymbol, 'hours'>): boolean {
  return hours === 'always';
}

/** Epoch seconds at which the window around a moment opens. */
export function windowStartS(momentS: number, window: RecordedWindow): number {
  return Math.floor(momentS / (window * MINUTE_S)) * window * MINUTE_S;
}

/** Epoch seconds at which the window around a moment has closed. */
export function windowEndS(momentS: number, window: RecordedWindow): number {
  return windowStartS(momentS, window) + window * MINUTE_S;
}

/** Minutes of the window that are over at a moment. */
export function elapsedMinutes(momentS: number, window: RecordedWindow): number {
  return (momentS - windowStartS(momentS, window)) / MINUTE_S;
}

/** Opening seconds of a window's minutes. */
export function windowMinutes(momentS: number, window: RecordedWindow): number[] {
  const startS = windowStartS(momentS, window);
  return Array.from({ length: window }, (_, i) => startS + i * MINUTE_S);
}

/** The windows whose chance is recorded at this second. */
export function windowsAt(epochS: number): RecordedWindow[] {
  return RECORDED_WINDOWS.filter((window) => CHANCE_MINUTES[window].includes(elapsedMinutes(epochS, window)));
}

/** The newest moment at or before a time: at least one window's. */
export function momentBefore(epochS: number): number {
  let atS = Math.floor(epochS / MINUTE_S) * MINUTE_S;
  while (windowsAt(atS).length === 0) atS -= MINUTE_S;
  return atS;
}

/** The first moment after a time. */
export function momentAfter(epochS: number): number {
  let atS = (Math.floor(epochS / MINUTE_S) + 1) * MINUTE_S;
  while (windowsAt(atS).length === 0) atS += MINUTE_S;
  return atS;
}

/** How many chances of one symbol and window the record should have of moments in `[fromS, toS)`. */
export function chancesExpected(window: RecordedWindow, fromS: number, toS: number): number {
  if (toS <= fromS) return 0;
  return CHANCE_MINUTES[window].reduce((sum, minute) => sum + timesIn(window, minute, fromS, toS), 0);
}

function timesIn(window: RecordedWindow, minute: number, fromS: number, toS: number): number {
  const stepS = window * MINUTE_S;
  const upTo = (endS: number): number => Math.ceil((endS - minute * MINUTE_S) / stepS);
  return upTo(toS) - upTo(fromS);
}
