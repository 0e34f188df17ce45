/** The clock window that is running: 5, 15 or 60 minutes from a whole multiple of its length, UTC. */
import { type Candle, MINUTE_S } from '../market/candle.ts';
import { type RefusedChance, refusal } from './refusals.ts';

export const WINDOW_MINUTES = [5, 15, 60] as const;
export type WindowMinutes = (typeof WINDOW_MINUTES)[number];

export interface ClockWindow {
  openS: number;
  endS: number;
  open: number;
  /** Whole minutes of it that are over and have no candle. */
  missing: number;
}

/**
 * Its open is that of its first candle. In its first minute that candle may not be there yet: then it is the close before.
 * @param candles  of one minute, oldest first; the last one may be unfinished
 */
export function clockWindow(
  candles: readonly Candle[],
  windowMin: WindowMinutes,
  nowMs: number,
): ClockWindow | RefusedChance {
  if (!WINDOW_MINUTES.includes(windowMin) || !Number.isFinite(nowMs)) return refusal('window-unknown');
  const lengthS = windowMin * MINUTE_S;
  const openS = Math.floor(nowMs / 1000 / lengthS) * lengthS;
  const minutesOver = Math.floor((nowMs / 1000 - openS) / MINUTE_S);
  const within = candles.filter(({ time }) => time >= openS && time < openS + lengthS);
  const over = within.filter(({ time }) => time < openS + minutesOver * MINUTE_S).length;
  const before = minutesOver === 0 ? candles.findLast(({ time }) => time === openS - MINUTE_S)?.close : undefined;
  const open = within[0]?.time === openS ? within[0].open : before;
  if (open === undefined) return refusal('open-unknown');
  return { openS, endS: openS + lengthS, open, missing: minutesOver - over };
}
