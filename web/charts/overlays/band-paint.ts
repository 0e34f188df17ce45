/** Both bands of a forecast on a canvas, the narrower one on the wider one. No middle line: it would look like a promise. */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { withAlpha } from '../palette.ts';
import type { PixelPoint } from './forecast-coordinates.ts';

export const ALPHA_80 = 0.22;
export const ALPHA_95 = 0.1;

/** @param trace  an edge's points, from the join on  @param color  the bands' own, opaque */
export function paintBands(
  context: CanvasRenderingContext2D,
  band: ForecastBand,
  trace: (prices: readonly number[]) => readonly PixelPoint[],
  color: string,
): void {
  fill(context, trace(band.upper95), trace(band.lower95), withAlpha(color, ALPHA_95));
  fill(context, trace(band.upper80), trace(band.lower80), withAlpha(color, ALPHA_80));
}

function fill(
  context: CanvasRenderingContext2D,
  upper: readonly PixelPoint[],
  lower: readonly PixelPoint[],
  color: string,
): void {
  context.beginPath();
  for (const { x, y } of upper) context.lineTo(x, y);
  for (const { x, y } of lower.toReversed()) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = color;
  context.fill();
}
