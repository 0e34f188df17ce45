/** Both bands of a forecast on a canvas, the narrower one on the wider one. No middle line: it would look like a promise. */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { withAlpha } from '../palette.ts';
import type { PixelPoint } from './forecast-coordinates.ts';

export const ALPHA_80 = 0.22;
export const ALPHA_95 = 0.1;
/** On white the washes are faint, so that each edge is also a line. */
const ALPHA_EDGE = 0.6;

/** @param trace  an edge's points, from the join on  @param color  the bands' own, opaque */
export function paintBands(
  context: CanvasRenderingContext2D,
  band: ForecastBand,
  trace: (prices: readonly number[]) => readonly PixelPoint[],
  color: string,
): void {
  fill(context, trace(band.upper95), trace(band.lower95), color, ALPHA_95);
  fill(context, trace(band.upper80), trace(band.lower80), color, ALPHA_80);
}

function fill(
  context: CanvasRenderingContext2D,
  upper: readonly PixelPoint[],
  lower: readonly PixelPoint[],
  color: string,
  alpha: number,
): void {
  context.beginPath();
  for (const { x, y } of upper) context.lineTo(x, y);
  for (const { x, y } of lower.toReversed()) context.lineTo(x, y);
  context.closePath();
  context.fillStyle = withAlpha(color, alpha);
  context.fill();
  if (document.documentElement.dataset.theme !== 'light') return;
  context.strokeStyle = withAlpha(color, ALPHA_EDGE);
  context.lineWidth = 1;
  for (const edge of [upper, lower]) {
    context.beginPath();
    for (const { x, y } of edge) context.lineTo(x, y);
    context.stroke();
  }
}
