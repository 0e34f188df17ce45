/** A static picture of candles on one plain canvas, drawn when it mounts, resizes or the theme changes. */
import { useEffect, useRef } from 'react';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { paintBands } from '../overlays/band-paint.ts';
import { describeOutcome, outcomeLine, paintOutcome, paintPassed } from '../overlays/outcome-line.ts';
import { onThemeChange, type Palette, readPalette, withAlpha } from '../palette.ts';
import { candleColours } from './candle-colours.ts';
import type { ChartSeries } from './candle-feed.ts';
import { describeSeries } from './describe-series.ts';

export interface SmallCandlesProps {
  candles: readonly Candle[];
  /** Opening second of the last real candle; null without a forecast. */
  joinS: number | null;
  name: string;
  decimals: number;
  /** Edges from the first forecast candle on; null if none is known. */
  band?: ForecastBand | null | undefined;
  /** Free above the candles for a key, which the caller places there. */
  keyPx?: number;
  /** The real candles of the forecast's minutes, once known: drawn over it as a line. */
  outcome?: readonly Candle[] | undefined;
}

export function SmallCandles({ candles, joinS, name, decimals, ...rest }: SmallCandlesProps) {
  const { band = null, keyPx = 0, outcome = NONE } = rest;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  // Re-renders with the time zone: the text alternative contains a time.
  useTimeZone();
  useEffect(() => {
    const canvas = canvasRef.current;
    const host = canvas?.parentElement;
    if (canvas === null || host == null) return;
    const series = { candles, joinS, band, outcome };
    const paint = () =>
      paintCandles(canvas, { width: host.clientWidth, height: host.clientHeight, keyPx }, series, readPalette(host));
    const observer = new ResizeObserver(paint);
    observer.observe(host);
    const stopTheme = onThemeChange(paint);
    paint();
    return () => {
      observer.disconnect();
      stopTheme();
    };
  }, [candles, joinS, band, keyPx, outcome]);

  return (
    <div
      className="full-width full-height clip relative"
      role="img"
      aria-label={describe(name, { candles, joinS, band, outcome }, decimals)}
      data-candle-count={candles.length}
      {...(outcome.length > 0 && { 'data-outcome-count': outcome.length })}
    >
      <canvas ref={canvasRef} className="cover full-width full-height" />
    </div>
  );
}

const NONE: readonly Candle[] = [];

function describe(name: string, series: ChartSeries, decimals: number): string {
  return describeSeries(name, series, decimals) + describeOutcome(series, decimals);
}

/** CSS pixels free on every side. */
const PADDING_PX = 8;
/** Share of the distance between two candles. */
const BODY_SHARE = 0.75;

/** All sizes below are in device pixels, so that outlines are sharp on any screen. */
interface Pane {
  width: number;
  height: number;
  padding: number;
  top: number;
  /** A hairline: one CSS pixel. */
  line: number;
}

interface Place {
  width: number;
  height: number;
  keyPx: number;
}

function paintCandles(
  canvas: HTMLCanvasElement,
  { width, height, keyPx }: Place,
  series: ChartSeries,
  palette: Palette,
): void {
  const context = canvas.getContext('2d');
  if (context === null || width === 0 || height === 0) return;
  const ratio = window.devicePixelRatio || 1;
  const { candles, joinS, band, outcome = NONE } = series;
  const pane = {
    width: Math.round(width * ratio),
    height: Math.round(height * ratio),
    padding: Math.round(PADDING_PX * ratio),
    top: Math.round((PADDING_PX + keyPx) * ratio),
    line: Math.max(1, Math.floor(ratio)),
  };
  canvas.width = pane.width;
  canvas.height = pane.height;
  if (candles.length === 0) return;
  const step = (pane.width - 2 * pane.padding) / candles.length;
  const bodyPx = bodyWidth(step);
  const isThin = bodyPx < 3;
  const joinIndex = joinS === null ? -1 : candles.findIndex((candle) => candle.time > joinS);
  const drawnBand = joinIndex > 0 ? band : null;
  const toY = priceScale([...candles, ...outcome], drawnBand, pane);
  /** From the last real close on. */
  const trace = (closes: readonly number[]) =>
    closes.map((close, i) => ({ x: pane.padding + (joinIndex - 0.5 + i) * step, y: toY(close) }));
  if (joinIndex >= 0) paintGround(context, pane.padding + joinIndex * step, pane, palette);
  if (drawnBand !== null) {
    const lastClose = candles[joinIndex - 1]?.close ?? 0;
    paintBands(context, drawnBand, (edge) => trace([lastClose, ...edge]), palette.band);
  }
  const passed = joinIndex < 0 ? 0 : outcome.length;
  candles.forEach((candle, i) => {
    if (joinIndex >= 0 && i >= joinIndex && i < joinIndex + passed) return;
    const colours = candleColours(candle, { isForecast: joinIndex >= 0 && i >= joinIndex, isThin }, palette);
    paintCandle(context, candle, Math.round(pane.padding + (i + 0.5) * step - bodyPx / 2), bodyPx, toY, colours);
  });
  if (joinIndex < 0 || outcome.length === 0) return;
  const path = candles.slice(Math.max(0, joinIndex - 1), joinIndex + passed);
  paintPassed(context, trace(path.map(({ close }) => close)), ratio, palette);
  paintOutcome(context, trace(outcomeLine(series).map(({ close }) => close)), ratio, palette);
}

/** Odd, so that the one-pixel wick is centred, and never wider than the distance to the next candle. */
export function bodyWidth(step: number): number {
  const width = Math.max(1, Math.round(step * BODY_SHARE));
  if (width % 2 === 1) return width;
  return width + 1 <= step ? width + 1 : width - 1;
}

function priceScale(
  candles: readonly Candle[],
  band: ForecastBand | null,
  { height, padding, top }: Pane,
): (price: number) => number {
  const low = Math.min(...candles.map((c) => c.low), ...(band?.lower95 ?? []));
  const high = Math.max(...candles.map((c) => c.high), ...(band?.upper95 ?? []));
  const span = high - low || 1;
  return (price) => Math.round(top + ((high - price) / span) * (height - top - padding));
}

function paintGround(context: CanvasRenderingContext2D, x: number, { width, height, line }: Pane, palette: Palette) {
  context.fillStyle = withAlpha(palette.band, 0.1);
  context.fillRect(x, 0, width - x, height);
  context.fillStyle = withAlpha(palette.accentLine, 0.7);
  context.fillRect(Math.round(x), 0, line, height);
}

/** @param x  left edge of the body */
function paintCandle(
  context: CanvasRenderingContext2D,
  candle: Candle,
  x: number,
  bodyPx: number,
  toY: (price: number) => number,
  colours: ReturnType<typeof candleColours>,
) {
  const [high, low] = [toY(candle.high), toY(candle.low)];
  const top = toY(Math.max(candle.open, candle.close));
  const bottom = Math.max(top + 1, toY(Math.min(candle.open, candle.close)));
  const wickX = x + (bodyPx - 1) / 2;
  context.fillStyle = colours.wickColor;
  // Only above and below the body: a hollow one shows the background.
  context.fillRect(wickX, high, 1, top - high);
  context.fillRect(wickX, bottom, 1, Math.max(0, low - bottom));
  context.fillStyle = colours.borderColor;
  if (bodyPx < 3 || bottom - top < 3) {
    context.fillRect(x, top, bodyPx, bottom - top);
    return;
  }
  context.fillRect(x, top, bodyPx, 1);
  context.fillRect(x, bottom - 1, bodyPx, 1);
  context.fillRect(x, top + 1, 1, bottom - top - 2);
  context.fillRect(x + bodyPx - 1, top + 1, 1, bottom - top - 2);
  context.fillStyle = colours.color;
  context.fillRect(x + 1, top + 1, bodyPx - 2, bottom - top - 2);
}
