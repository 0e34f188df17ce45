/**
 * The usual range: a quiet cone after the last close. Under a forecast only its edges, so that one sees what the model
 * adds.
 */
import type { AutoscaleInfo, Logical } from 'lightweight-charts';
import { type Palette, withAlpha } from '../palette.ts';
import { type PixelPoint, traceFromJoin } from './forecast-coordinates.ts';
import { drawnFont, PaintedPrimitive, type Painting } from './painted-primitive.ts';

const ALPHA_FILL = 0.12;
const ALPHA_EDGE = 0.55;
/** On a narrower cone the label would not fit. */
const MIN_LABEL_PX = 90;

export interface UsualCone {
  /** Opening second of the last closed candle. */
  joinS: number;
  /** Seconds from one bar to the next. */
  barS: number;
  lastClose: number;
  lower80: readonly number[];
  upper80: readonly number[];
  /** A forecast's band is drawn over it. */
  isUnderForecast: boolean;
}

export class UsualPrimitive extends PaintedPrimitive<UsualCone> {
  constructor(palette: Palette) {
    super(palette, 'bottom');
  }

  autoscaleInfo(_from: Logical, _to: Logical): AutoscaleInfo | null {
    const cone = this.shown;
    if (cone === null) return null;
    return { priceRange: { minValue: Math.min(...cone.lower80), maxValue: Math.max(...cone.upper80) } };
  }

  protected paint({ context, attachment, palette: { muted } }: Painting, cone: UsualCone): void {
    const upper = traceFromJoin(cone.upper80, cone, attachment);
    const lower = traceFromJoin(cone.lower80, cone, attachment);
    if (upper === null || lower === null) return;
    if (!cone.isUnderForecast) {
      context.fillStyle = withAlpha(muted, ALPHA_FILL);
      trace(context, [...upper, ...lower.toReversed()]);
      context.fill();
    }
    context.strokeStyle = withAlpha(muted, ALPHA_EDGE);
    context.lineWidth = 1;
    for (const edge of [upper, lower]) {
      trace(context, edge);
      context.stroke();
    }
    if (!cone.isUnderForecast) drawLabel(context, upper, muted);
  }
}

function drawLabel(context: CanvasRenderingContext2D, upper: readonly PixelPoint[], colour: string): void {
  const [first, last] = [upper[0], upper.at(-1)];
  if (first === undefined || last === undefined || last.x - first.x < MIN_LABEL_PX) return;
  context.font = drawnFont();
  context.fillStyle = colour;
  context.textBaseline = 'bottom';
  context.textAlign = 'right';
  context.fillText('usual range', last.x, last.y - 4);
}

function trace(context: CanvasRenderingContext2D, points: readonly PixelPoint[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
}
