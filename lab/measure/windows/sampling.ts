/** How densely windows are taken, by timeframe. */

import { barMinutesOf, type Timeframe } from '../../../domain/market/timeframes.ts';
import { wholeNumberOf } from '../../../scripts/command-line.ts';

const HOUR_MINUTES = 60;

/** Volatility has a pattern within the hour: such a stride sees only some of its bars. @returns null for a good one */
export function strideFault(strideBars: number, timeframe: Timeframe): string | null {
  const barsAnHour = HOUR_MINUTES / barMinutesOf(timeframe);
  const isShared = [2, 3, 5].some((factor) => strideBars % factor === 0 && barsAnHour % factor === 0);
  if (!isShared) return null;
  return `a stride of ${strideBars} shares a factor with ${barsAnHour}, and the hour has a rhythm: take 7 or 29`;
}

/** The `--stride` of a command. @throws BadInput unless it is a whole number of bars from 1 on */
export function strideBarsOf(text: string | undefined, usual: number): number {
  return text === undefined ? usual : wholeNumberOf('--stride', text, 1);
}

/** Bars between two windows, without a common factor with those of an hour. */
export const MEASURE_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 7, '5min': 5, '15min': 1 };
export const BENCH_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 29, '5min': 5, '15min': 1 };
/** For the baselines of one symbol, and for those that borrow the past of its asset class. */
export const PRIOR_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 11, '5min': 7, '15min': 1 };
export const BORROWED_STRIDE_BARS: Readonly<Record<Timeframe, number>> = { '1min': 53, '5min': 11, '15min': 3 };
