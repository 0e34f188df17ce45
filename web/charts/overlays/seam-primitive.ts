/** A dashed line between two candles: where time is missing, as in a closed market, or where something is released. */
import type { UTCTimestamp } from 'lightweight-charts';
import { type Palette, withAlpha } from '../palette.ts';
import { drawnFont, PaintedPrimitive, type Painting } from './painted-primitive.ts';

export interface Seam {
  /** Opening seconds of the candles before and after it. */
  beforeS: number;
  afterS: number;
  /** How much is missing: '17 h'; or what is released. */
  label: string;
}

const DASH_PX = [3, 3];
/** Labels need this much from one seam to the next, CSS pixels. */
const LABEL_PX = 56;

export class SeamPrimitive extends PaintedPrimitive<readonly Seam[]> {
  constructor(palette: Palette) {
    super(palette, 'bottom');
  }

  protected paint({ context, height, attachment, palette }: Painting, seams: readonly Seam[]): void {
    const timeScale = attachment.chart.timeScale();
    const xOf = (timeS: number) => timeScale.timeToCoordinate(timeS as UTCTimestamp);
    context.strokeStyle = withAlpha(palette.muted, 0.45);
    context.fillStyle = palette.muted;
    context.font = drawnFont();
    context.textBaseline = 'bottom';
    context.setLineDash(DASH_PX);
    let labelledX = Number.NEGATIVE_INFINITY;
    for (const { beforeS, afterS, label } of seams) {
      const [before, after] = [xOf(beforeS), xOf(afterS)];
      if (before === null || after === null) continue;
      const x = Math.round((before + after) / 2) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      if (x - labelledX < LABEL_PX) continue;
      labelledX = x;
      context.fillText(label, x + 4, height - 4);
    }
  }
}
