/**
 * The last close and the random walk's bands. Lines without a fill distinguish it from the model's band beyond colour.
 */
import type { AutoscaleInfo, Logical } from 'lightweight-charts';
import { amplifyBand } from '#domain/forecast/amplify.ts';
import { type GhostBaseline, ghostBaseline } from '#domain/forecast/ghost-baseline.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS } from '#domain/forecast/window.ts';
import { barSecondsIn, type ChartSeries, realCandles } from '../candles/candle-feed.ts';
import { type Palette, withAlpha } from '../palette.ts';
import { type PixelPoint, traceFromJoin } from './forecast-coordinates.ts';
import { drawnFont, PaintedPrimitive, type Painting } from './painted-primitive.ts';

/** Lengths of dash and gap in CSS pixels; the legend uses the same. */
const DASHES = { close: [10, 4], p80: [5, 4], p95: [1.5, 4] } as const;
/** On a narrower forecast the label would overlap the band's edge. */
const MIN_LABEL_PX = 110;

export interface Ghost extends GhostBaseline {
  /** Opening second of the last real candle. */
  joinS: number;
  /** Seconds from one bar to the next. */
  barS: number;
}

export class GhostPrimitive extends PaintedPrimitive<Ghost> {
  constructor(palette: Palette) {
    super(palette, 'normal');
  }

  /** Keeps the ghost in view if it is wider than the model's band. */
  autoscaleInfo(_from: Logical, _to: Logical): AutoscaleInfo | null {
    const band = this.shown?.band;
    if (!band) return null;
    return { priceRange: { minValue: Math.min(...band.lower95), maxValue: Math.max(...band.upper95) } };
  }

  protected paint({ context, attachment, palette: { text } }: Painting, ghost: Ghost): void {
    const { band, lastClose } = ghost;
    const line = (prices: readonly number[], dash: readonly number[], color: string, widthPx: number): void => {
      stroke(context, traceFromJoin(prices, ghost, attachment), dash, color, widthPx);
    };
    for (const edge of [band.lower95, band.upper95]) line(edge, DASHES.p95, withAlpha(text, 0.8), 1.5);
    for (const edge of [band.lower80, band.upper80]) line(edge, DASHES.p80, withAlpha(text, 0.8), 1.25);
    line(
      band.upper80.map(() => lastClose),
      DASHES.close,
      text,
      1.25,
    );
    drawLabel(context, traceFromJoin(band.lower95, ghost, attachment), text);
  }
}

function drawLabel(context: CanvasRenderingContext2D, lowest: readonly PixelPoint[] | null, colour: string): void {
  const [first, last] = [lowest?.[0], lowest?.at(-1)];
  if (first === undefined || last === undefined || last.x - first.x < MIN_LABEL_PX) return;
  context.font = drawnFont();
  context.fillStyle = colour;
  context.textBaseline = 'top';
  context.textAlign = 'right';
  context.fillText('ghost', last.x, last.y + 4);
}

function stroke(
  context: CanvasRenderingContext2D,
  points: readonly PixelPoint[] | null,
  dash: readonly number[],
  color: string,
  widthPx: number,
): void {
  if (points === null) return;
  context.save();
  context.setLineDash([...dash]);
  context.lineCap = 'butt';
  context.lineWidth = widthPx;
  context.strokeStyle = color;
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
  context.restore();
}

/** Null without a forecast: there is nothing to compare. */
export function ghostOf(series: ChartSeries): GhostBaseline | null {
  const ghost =
    series.joinS === null ? null : ghostBaseline(realCandles(series), HORIZON_BARS, barSecondsIn(series.candles));
  if (ghost === null) return null;
  const percent = series.ampPercent ?? DEFAULT_AMPLIFY_PERCENT;
  return { ...ghost, band: amplifyBand(ghost.band, ghost.lastClose, percent) };
}
