/** The actual closes as a line, from the last real close: among candles its shape is distinct in any colour. */
import { formatPercent, formatPrice } from '#domain/format/price.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type ChartSeries, forecastCandles, realCandles } from '../candles/candle-feed.ts';
import type { Palette } from '../palette.ts';
import type { PixelPoint } from './forecast-coordinates.ts';

/** CSS pixels. */
const LINE_PX = 1.75;
/** A halo in the background colour on each side, so that the line is distinct from the candles below it. */
const HALO_PX = 1.5;
const DOT_PX = 2.75;

/** @param points  in device pixels, from the join on  @param ratio  device pixels per CSS pixel */
export function paintOutcome(
  context: CanvasRenderingContext2D,
  points: readonly PixelPoint[],
  ratio: number,
  { text, surface }: Pick<Palette, 'text' | 'surface'>,
): void {
  const last = points.at(-1);
  if (last === undefined) return;
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const [color, width, dot] of [
    [surface, LINE_PX + 2 * HALO_PX, DOT_PX + HALO_PX],
    [text, LINE_PX, DOT_PX],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width * ratio;
    context.beginPath();
    for (const { x, y } of points) context.lineTo(x, y);
    context.stroke();
    context.fillStyle = color;
    context.beginPath();
    context.arc(last.x, last.y, dot * ratio, 0, 2 * Math.PI);
    context.fill();
  }
}

/** The part of the forecast's path that has passed. @param points, ratio  as for `paintOutcome` */
export function paintPassed(
  context: CanvasRenderingContext2D,
  points: readonly PixelPoint[],
  ratio: number,
  { accentLine }: Pick<Palette, 'accentLine'>,
): void {
  context.save();
  context.setLineDash([3 * ratio, 3 * ratio]);
  context.strokeStyle = accentLine;
  context.lineWidth = ratio;
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
  context.restore();
}

/** The candles whose closes the line connects: the last real one and the outcome. */
export function outcomeLine(series: ChartSeries): readonly Candle[] {
  const { outcome = [] } = series;
  return outcome.length === 0 ? [] : [...realCandles(series).slice(-1), ...outcome];
}

/**
 * For the text alternative of a chart; empty without an outcome.
 * @param hasCandles  it is drawn as candles, not as a line
 */
export function describeOutcome(series: ChartSeries, decimals: number, hasCandles = false): string {
  const { outcome = [] } = series;
  const forecast = forecastCandles(series);
  const [lastReal, last, path] = [realCandles(series).at(-1), outcome.at(-1), forecast.at(-1)];
  if (last === undefined || lastReal === undefined) return '';
  const move = formatPercent(last.close / lastReal.close - 1);
  const off =
    path === undefined || outcome.length < forecast.length
      ? ''
      : `, ${formatPercent(last.close / path.close - 1)} from the path’s end`;
  const shown = hasCandles ? 'Drawn over it, the outcome so far' : 'A line shows the outcome';
  return ` ${shown}: ${outcome.length} real candles, the last closing at ${formatPrice(last.close, decimals)}, ${move}${off}.`;
}
