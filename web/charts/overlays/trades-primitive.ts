/** Paper trades over the candles: an arrow at each entry, a dot at its exit, and the entry of the open one as a line. */
import type { UTCTimestamp } from 'lightweight-charts';
import type { TradeSide } from '#domain/paper-trading/trade-rules.ts';
import { textScale } from '../../ui/browser/text-scale.ts';
import { onThemeChange, type Palette, readPalette, withAlpha } from '../palette.ts';
import type { Attached, PixelPoint } from './forecast-coordinates.ts';
import { drawnFont, PaintedPrimitive, type Painting } from './painted-primitive.ts';

const ARROW_PX = 8;
const DOT_PX = 2.5;
/** Between a mark and the candles. */
const EDGE_PX = 1.5;
const LABEL_PX = { left: 6, padding: 5, height: 18 };

export interface TradeMoment {
  /** Epoch milliseconds. */
  atMs: number;
  price: number;
}

export interface DrawnTrade {
  side: TradeSide;
  entry: TradeMoment;
  /** Null for an open trade, and for one that ended without a price. */
  exit: TradeMoment | null;
  /** Null without a result. */
  pnl: number | null;
}

export interface DrawnTrades {
  /** Seconds from one bar to the next. */
  barS: number;
  closed: readonly DrawnTrade[];
  /** @param label  'long +12.30' */
  open: (DrawnTrade & { label: string }) | null;
}

export class TradesPrimitive extends PaintedPrimitive<DrawnTrades> {
  private stopTheme = () => {};

  constructor() {
    // It reads its colours itself, as it comes later than the chart.
    super(null, 'top');
  }

  override attached(at: Attached): void {
    super.attached(at);
    const readColours = () => this.show(this.shown, readPalette(at.chart.chartElement()));
    this.stopTheme = onThemeChange(readColours);
    readColours();
  }

  override detached(): void {
    this.stopTheme();
    super.detached();
  }

  mark(trades: DrawnTrades): void {
    this.show(trades, this.palette);
  }

  protected override paint({ context, attachment: at, palette }: Painting, { closed, open, barS }: DrawnTrades): void {
    context.lineJoin = 'round';
    if (open !== null) paintLevel(context, open, at, palette);
    for (const trade of open === null ? closed : [open, ...closed]) paintTrade(context, trade, barS, at, palette);
    if (open !== null) paintLabel(context, open, at, palette);
  }
}

function paintTrade(
  context: CanvasRenderingContext2D,
  { side, entry, exit, pnl }: DrawnTrade,
  barS: number,
  at: Attached,
  palette: Palette,
): void {
  const from = placeOf(entry, entry, barS, at);
  if (from === null) return;
  const to = exit === null ? null : placeOf(exit, entry, barS, at);
  const color = colourOf(pnl, palette);
  if (to !== null) {
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    outlined(context, palette, () => {
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.stroke();
    });
  }
  arrow(context, from, side);
  filled(context, color, palette);
  if (to === null) return;
  context.beginPath();
  context.arc(to.x, to.y, DOT_PX, 0, 2 * Math.PI);
  filled(context, color, palette);
}

/** The price that the open trade must beat, over the whole width. */
function paintLevel(
  context: CanvasRenderingContext2D,
  { entry, pnl }: DrawnTrade,
  { chart, series }: Attached,
  palette: Palette,
): void {
  const y = series.priceToCoordinate(entry.price);
  if (y === null) return;
  context.setLineDash([2, 3]);
  context.strokeStyle = colourOf(pnl, palette);
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(0, Math.round(y) + 0.5);
  context.lineTo(chart.paneSize().width, Math.round(y) + 0.5);
  context.stroke();
  context.setLineDash([]);
}

/** At the left, over the oldest candles: the newest ones and the forecast stay free. */
function paintLabel(
  context: CanvasRenderingContext2D,
  { entry, pnl, label }: DrawnTrade & { label: string },
  { series }: Attached,
  palette: Palette,
): void {
  const y = series.priceToCoordinate(entry.price);
  if (y === null) return;
  context.font = drawnFont();
  const { left, padding } = LABEL_PX;
  const height = LABEL_PX.height * textScale();
  context.fillStyle = withAlpha(palette.surface, 0.9);
  context.fillRect(left, y - height / 2, context.measureText(label).width + 2 * padding, height);
  context.fillStyle = colourOf(pnl, palette);
  context.textBaseline = 'middle';
  context.fillText(label, left + padding, y);
}

/** Within its bar, by the seconds since that opened. Null if the entry's bar is not on the chart. */
function placeOf(
  moment: TradeMoment,
  entry: TradeMoment,
  barS: number,
  { chart, series }: Attached,
): PixelPoint | null {
  const timeScale = chart.timeScale();
  const barMs = barS * 1000;
  const openedMs = Math.floor(entry.atMs / barMs) * barMs;
  const barX = timeScale.timeToCoordinate((openedMs / 1000) as UTCTimestamp);
  const y = series.priceToCoordinate(moment.price);
  if (barX === null || y === null) return null;
  return { x: barX + ((moment.atMs - openedMs) / barMs - 0.5) * timeScale.options().barSpacing, y };
}

/** Its tip is at the price: upwards for a long, downwards for a short. */
function arrow(context: CanvasRenderingContext2D, { x, y }: PixelPoint, side: TradeSide): void {
  const back = side === 'long' ? ARROW_PX : -ARROW_PX;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - ARROW_PX / 2, y + back);
  context.lineTo(x + ARROW_PX / 2, y + back);
  context.closePath();
}

function filled(context: CanvasRenderingContext2D, color: string, palette: Palette): void {
  outlined(context, palette, () => {
    context.fillStyle = color;
    context.fill();
  });
}

/** Over candles of the same colour a mark needs an edge. */
function outlined(context: CanvasRenderingContext2D, palette: Palette, draw: () => void): void {
  context.strokeStyle = palette.surface;
  context.lineWidth = 2 * EDGE_PX;
  context.stroke();
  draw();
}

function colourOf(pnl: number | null, palette: Palette): string {
  if (pnl === null || pnl === 0) return palette.muted;
  return pnl > 0 ? palette.up : palette.down;
}
