/** The forecast's bands under the candles, its label above the grid's lines. */
import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
  Logical,
  Time,
  UTCTimestamp,
} from 'lightweight-charts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { type Palette, withAlpha } from '../palette.ts';
import { paintBands } from './band-paint.ts';
import { type Attached, traceFromJoin } from './forecast-coordinates.ts';
import { drawnFont } from './painted-primitive.ts';

const ALPHA_GROUND = 0.05;
/** Length of the mark on each edge of the band at the crosshair, CSS pixels. */
const EDGE_PX = 9;

export interface ForecastGround {
  /** Opening second of the last real candle. */
  joinS: number;
  /** Seconds from one bar to the next. */
  barS: number;
  lastClose: number;
  band: ForecastBand | null;
  /** Bars of the forecast: its ground ends with the last. */
  bars: number;
}

interface Scene {
  context: CanvasRenderingContext2D;
  mediaSize: { width: number; height: number };
  startX: number;
  barPx: number;
  ground: ForecastGround;
  attachment: Attached;
}
type Paint = (scene: Scene) => void;
type Target = Parameters<IPrimitivePaneRenderer['draw']>[0];

export class BandPrimitive implements ISeriesPrimitive<Time> {
  private attachment: Attached | null = null;
  private ground: ForecastGround | null = null;
  private pointedS: number | null = null;
  private palette: Palette;
  private readonly formatPrice: (price: number) => string;

  constructor(palette: Palette, formatPrice: (price: number) => string) {
    this.palette = palette;
    this.formatPrice = formatPrice;
  }

  attached(param: Attached): void {
    this.attachment = param;
  }

  detached(): void {
    this.attachment = null;
  }

  show(ground: ForecastGround | null, palette: Palette): void {
    this.ground = ground;
    this.palette = palette;
    this.attachment?.requestUpdate();
  }

  /** Marks the band's edges at the crosshair, whose next move draws them. @param timeS  null: none */
  pointAt(timeS: number | null): void {
    this.pointedS = timeS;
  }

  /** The whole 95% band is in view from the first candle on, so that the scale does not creep as candles arrive. */
  autoscaleInfo(_from: Logical, _to: Logical): AutoscaleInfo | null {
    const band = this.ground?.band;
    if (!band || band.lower95.length === 0) return null;
    return { priceRange: { minValue: Math.min(...band.lower95), maxValue: Math.max(...band.upper95) } };
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [
      { zOrder: () => 'bottom', renderer: () => ({ draw: (target) => this.draw(target, this.paintUnderGrid) }) },
      { zOrder: () => 'normal', renderer: () => ({ draw: (target) => this.draw(target, this.paintLabel) }) },
      { zOrder: () => 'top', renderer: () => ({ draw: (target) => this.draw(target, this.paintEdges) }) },
    ];
  }

  /** Tags on the price axis: the edges of the 80% band at the last bar. */
  priceAxisViews(): readonly ISeriesPrimitiveAxisView[] {
    return this.taggedPrices().map((price) => ({
      coordinate: () => this.attachment?.series.priceToCoordinate(price) ?? -100,
      text: () => this.formatPrice(price),
      textColor: () => this.palette.onAccent,
      backColor: () => this.palette.accentFill,
    }));
  }

  taggedPrices(): number[] {
    const band = this.ground?.band;
    return [band?.upper80.at(-1), band?.lower80.at(-1)].filter((edge) => edge !== undefined);
  }

  private draw(target: Target, paint: Paint): void {
    const { ground, attachment } = this;
    if (ground === null || attachment === null) return;
    const timeScale = attachment.chart.timeScale();
    const joinX = timeScale.timeToCoordinate(ground.joinS as UTCTimestamp);
    if (joinX === null) return;
    const barPx = timeScale.options().barSpacing;
    const startX = joinX + barPx / 2;
    // biome-ignore lint/correctness/useHookAtTopLevel: the library's name for a drawing scope, not a React hook
    target.useMediaCoordinateSpace(({ context, mediaSize }) =>
      paint({ context, mediaSize, startX, barPx, ground, attachment }),
    );
  }

  private readonly paintUnderGrid: Paint = ({ context, mediaSize, startX, barPx, ground, attachment }) => {
    this.drawGround(context, startX, ground.bars * barPx, mediaSize.height);
    this.drawBand(context, ground, attachment);
  };

  private drawGround(context: CanvasRenderingContext2D, x: number, width: number, height: number): void {
    context.fillStyle = withAlpha(this.palette.band, ALPHA_GROUND);
    context.fillRect(x, 0, width, height);
    context.fillStyle = withAlpha(this.palette.accentLine, 0.7);
    context.fillRect(Math.round(x), 0, 1, height);
  }

  private drawBand(context: CanvasRenderingContext2D, ground: ForecastGround, at: Attached): void {
    const { band } = ground;
    if (band === null) return;
    paintBands(context, band, (prices) => traceFromJoin(prices, ground, at) ?? [], this.palette.band);
  }

  private readonly paintLabel: Paint = ({ context, startX: x }) => {
    context.font = drawnFont();
    context.fillStyle = this.palette.accent;
    context.textBaseline = 'top';
    context.fillText('forecast', x + 8, 10);
  };

  private readonly paintEdges: Paint = ({ context, ground, attachment }) => {
    const { band, joinS, barS } = ground;
    const bar = ((this.pointedS ?? joinS) - joinS) / barS;
    if (band === null || bar < 1) return;
    context.fillStyle = this.palette.accentLine;
    for (const prices of [band.upper95, band.upper80, band.lower80, band.lower95]) {
      const point = traceFromJoin(prices.slice(0, bar), ground, attachment)?.at(-1);
      if (point !== undefined && prices.length >= bar)
        context.fillRect(point.x - EDGE_PX / 2, Math.round(point.y) - 1, EDGE_PX, 2);
    }
  };
}
