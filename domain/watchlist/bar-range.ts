/**
 * The range in which the open bar closes in 80% of cases, from the candles that everyone may read: a random walk whose
 * volatility is an exponentially weighted mean (docs/decisions/069-watchlist.md). No model takes part.
 */
import * as z from 'zod/mini';
import { ewmaVariance, SCALE_FLOOR } from '../forecast/ghost-baseline.ts';
import { plainPercent } from '../format/price.ts';
import { aggregateCandles } from '../market/bars.ts';
import type { Candle } from '../market/candle.ts';
import { barMinutesOf, barSecondsOf, type Timeframe } from '../market/timeframes.ts';

export const barRangeSchema = z.object({
  /** Of the bar that is open now, epoch seconds. */
  opensS: z.int(),
  closesS: z.int(),
  lower: z.number().check(z.positive()),
  upper: z.number().check(z.positive()),
});
export type BarRange = z.infer<typeof barRangeSchema>;

/** Why a pair has no range: the last bar lacks a minute, or too few bars are known. */
export const RANGE_GAPS = ['gap', 'too-few'] as const;
export type RangeGap = (typeof RANGE_GAPS)[number];

/** Five half-lives. */
const LEAST_BARS = 40;
/** What is older weighs less than a thousandth. */
const READ_BARS = 100;
/** Of the half-lives 8, 20, 40 and 60, the one with the best ranges of one bar at every timeframe. */
const HALF_LIFE_BARS = 8;
/** Half the range in volatilities of one bar: what held 80% of closes in the first half of the recorded months. */
const WIDTH: Readonly<Record<Timeframe, number>> = { '1min': 1.29, '5min': 1.18, '15min': 1.1 };

/** @param minutes  closed candles without a jump between two recordings, oldest first */
export function barRange(minutes: readonly Candle[], timeframe: Timeframe): BarRange | RangeGap {
  const lastMinute = minutes.at(-1);
  if (lastMinute === undefined) return 'too-few';
  const barS = barSecondsOf(timeframe);
  const opensS = Math.floor((lastMinute.time + barSecondsOf('1min')) / barS) * barS;
  const bars = aggregateCandles(minutes, timeframe);
  const last = bars.at(-1);
  if (bars.length < LEAST_BARS || last === undefined) return 'too-few';
  if (last.time !== opensS - barS) return 'gap';
  const floor = SCALE_FLOOR * Math.sqrt(barMinutesOf(timeframe));
  const half =
    WIDTH[timeframe] * Math.max(floor, Math.sqrt(ewmaVariance(bars.slice(-READ_BARS), barS, HALF_LIFE_BARS)));
  return { opensS, closesS: opensS + barS, lower: last.close * Math.exp(-half), upper: last.close * Math.exp(half) };
}

export interface PlaceInRange {
  /** 0 at the lower edge, 1 at the upper one; beyond an edge it stays there. */
  share: number;
  /** 'inside the range, 35% of the way up', 'above the range'. */
  text: string;
}

export function placeInRange(price: number, { lower, upper }: Pick<BarRange, 'lower' | 'upper'>): PlaceInRange {
  if (price < lower) return { share: 0, text: 'below the range' };
  if (price > upper) return { share: 1, text: 'above the range' };
  const share = upper === lower ? 0.5 : (price - lower) / (upper - lower);
  return { share, text: `inside the range, ${plainPercent(100 * share, 0)} of the way up` };
}
