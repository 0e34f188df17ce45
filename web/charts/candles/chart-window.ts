import { type ChartSeries, realCandles } from './candle-feed.ts';

/** Bars left empty at either edge, so that no candle is cut. */
export const PAD_BARS = 2;

/** Positions on the time axis, from the first empty one at the left; a bar reaches half a position either way. */
interface BarWindow {
  from: number;
  to: number;
}

/**
 * Positions reserved after the last real candle: for the bars of a forecast or of the usual range, and for those after a
 * forecast's end that have come since.
 */
export function reservedBars({ joinS, outcome = [] }: ChartSeries, horizonBars: number): number {
  return joinS === null || outcome.length < horizonBars ? horizonBars : horizonBars && outcome.length + 1;
}

/**
 * Every candle, the positions reserved for a forecast, and the padding at both edges; null without candles.
 * @param realBars  shows only so many of the last real candles; null: all
 */
export function wholeWindow(
  series: ChartSeries,
  horizonBars: number,
  realBars: number | null = null,
): BarWindow | null {
  const shown = series.candles.length;
  if (shown === 0) return null;
  const real = realCandles(series).length;
  const bars = Math.max(shown, real + reservedBars(series, horizonBars));
  const hidden = hiddenBars(series, realBars);
  return { from: hidden === 0 ? -0.5 : hidden + PAD_BARS - 0.5, to: bars + 2 * PAD_BARS - 0.5 };
}

/** @returns how many of the first candles are out of view. @param realBars  as for `wholeWindow` */
export function hiddenBars(series: ChartSeries, realBars: number | null): number {
  return realBars === null ? 0 : Math.max(0, realCandles(series).length - realBars);
}

/** From three CSS pixels of body on a hollow one has two outlines. @param barPx  CSS pixels from one bar to the next */
export function isTooThinForBodies(barPx: number): boolean {
  return barPx < 2.5;
}

/** Half of '00:00' at 12 px, plus some padding. */
const HALF_TIME_PX = 20;

/** @param bars  from the label's position to the last one that is not padding @param barPx  CSS pixels per bar */
export function isCutAtRight(bars: number, barPx: number): boolean {
  return (bars + PAD_BARS + 0.5) * barPx < HALF_TIME_PX;
}

/** Of a candle in the whole window; infinite for one that only a moved view shows. @param realBars  as for `wholeWindow` */
export function barsFromLeft(series: ChartSeries, timeS: number, realBars: number | null): number {
  const hidden = hiddenBars(series, realBars);
  const bar = series.candles.findIndex(({ time }) => time === timeS) - hidden;
  return bar < 0 ? Number.POSITIVE_INFINITY : bar + (hidden === 0 ? PAD_BARS : 0);
}

/** @param bars  from the left edge to the label's position @param barPx  CSS pixels per bar */
export function isCutAtLeft(bars: number, barPx: number): boolean {
  return (bars + 0.5) * barPx < HALF_TIME_PX;
}

/** Height of a tag, and of a tick's label with some padding, CSS pixels at 12 px type. */
const TAG_PX = 20;
const TICK_PX = 18;

/**
 * @param tickYs  CSS pixels from the top; null if unknown
 * @param tagYs   centres of the tags; the axis moves touching tags apart, so their reach is larger
 * @returns the labels, empty where a tag overlaps
 */
export function ticksBesideTags(
  labels: readonly string[],
  tickYs: readonly (number | null)[],
  tagYs: readonly number[],
): string[] {
  const reaches = tagYs.map((y, i) => {
    const isMoved = tagYs.some((other, j) => j !== i && Math.abs(other - y) < TAG_PX);
    return { y, px: (TAG_PX + TICK_PX) / 2 + (isMoved ? TAG_PX / 2 : 0) };
  });
  return labels.map((label, i) => {
    const tickY = tickYs[i] ?? null;
    return tickY !== null && reaches.some(({ y, px }) => Math.abs(y - tickY) < px) ? '' : label;
  });
}
