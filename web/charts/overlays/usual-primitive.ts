/**
 * The usual range: a quiet cone after the last close. Under a forecast only its edges, so that one sees what the model
 * adds.
 */
import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  Logical,
  Time,
} from 'lightweight-charts';
import { type Palette, withAlpha } from '../palette.ts';
import { type Attached, type Point, traceFromJoin } from './forecast-coordinates.ts';

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

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

export class UsualPrimitive implements ISeriesPrimitive<Time> {
  private attachment: Attached | null = null;
  private cone: UsualCone | null = null;
  private palette: Palette;

  constructor(palette: Palette) {
    this.palette = palette;
  }

  attached(param: Attached): void {
    this.attachment = param;
  }

  detached(): void {
    this.attachment = null;
  }

  show(cone: UsualCone | null, palette: Palette): void {
    this.cone = cone;
    this.palette = palette;
    this.attachment?.requestUpdate();
  }

  autoscaleInfo(_from: Logical, _to: Logical): AutoscaleInfo | null {
    const { cone } = this;
    if (cone === null) return null;
    return { priceRange: { minValue: Math.min(...cone.lower80), maxValue: Math.max(...cone.upper80) } };
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [{ zOrder: () => 'bottom', renderer: () => ({ draw: (target) => this.draw(target) }) }];
  }

  private draw(target: Target): void {
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's name for a drawing scope, not a React hook
    target.useMediaCoordinateSpace(({ context }) => this.paint(context));
  }

  private paint(context: CanvasRenderingContext2D): void {
    const { cone, attachment } = this;
    if (cone === null || attachment === null) return;
    const upper = traceFromJoin(cone.upper80, cone, attachment);
    const lower = traceFromJoin(cone.lower80, cone, attachment);
    if (upper === null || lower === null) return;
    const { muted } = this.palette;
    context.save();
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
    if (!cone.isUnderForecast) this.drawLabel(context, upper);
    context.restore();
  }

  private drawLabel(context: CanvasRenderingContext2D, upper: readonly Point[]): void {
    const [first, last] = [upper[0], upper.at(-1)];
    if (first === undefined || last === undefined || last.x - first.x < MIN_LABEL_PX) return;
    context.font = '500 12px "Inter Variable", system-ui, sans-serif';
    context.fillStyle = this.palette.muted;
    context.textBaseline = 'bottom';
    context.textAlign = 'right';
    context.fillText('usual range', last.x, last.y - 4);
  }
}

function trace(context: CanvasRenderingContext2D, points: readonly Point[]): void {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
}
