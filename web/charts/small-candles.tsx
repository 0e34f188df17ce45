/**
 * A still picture of candles for cards: one plain canvas, no library, no interaction. Drawn when it is mounted,
 * resized or the theme changes.
 */
import { useEffect, useRef } from 'react';
import type { Candle } from '#domain/market/candle.ts';
import { candleColours } from './candle-colours.ts';
import { type ChartSeries, EMPTY_SERIES } from './candle-feed.ts';
import { describeSeries } from './chart-words.ts';
import { onThemeChange, type Palette, readPalette, withAlpha } from './palette.ts';
import styles from './small-candles.module.css';

export interface SmallCandlesProps {
  candles: readonly Candle[];
  /** Opening second of the last real candle; null when none is a forecast. */
  joinS: number | null;
  /** What is drawn, for the text alternative. */
  name: string;
  decimals: number;
}

export function SmallCandles({ candles, joinS, name, decimals }: SmallCandlesProps) {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = canvasRef.current;
    const host = canvas?.parentElement;
    if (canvas === null || host == null) return;
    const series = { ...EMPTY_SERIES, candles, joinS };
    const paint = () => paintCandles(canvas, host.clientWidth, host.clientHeight, series, readPalette(host));
    const observer = new ResizeObserver(paint);
    observer.observe(host);
    const stopTheme = onThemeChange(paint);
    paint();
    return () => {
      observer.disconnect();
      stopTheme();
    };
  }, [candles, joinS]);

  return (
    <div
      className={styles.root}
      role="img"
      aria-label={describeSeries(name, { candles, joinS, band: null }, decimals)}
      data-candle-count={candles.length}
    >
      <canvas ref={canvasRef} className={styles.canvas} />
    </div>
  );
}

const PADDING_PX = 8;
const OUTLINE_PX = 0.75;

function paintCandles(canvas: HTMLCanvasElement, width: number, height: number, series: ChartSeries, palette: Palette) {
  const context = canvas.getContext('2d');
  if (context === null || width === 0 || height === 0) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.scale(ratio, ratio);
  const { candles, joinS } = series;
  if (candles.length === 0) return;
  const step = (width - 2 * PADDING_PX) / candles.length;
  const toY = priceScale(candles, height);
  const joinIndex = joinS === null ? -1 : candles.findIndex((candle) => candle.time > joinS);
  if (joinIndex >= 0) paintGround(context, PADDING_PX + joinIndex * step, width, height, palette);
  candles.forEach((candle, i) => {
    const isForecast = joinIndex >= 0 && i >= joinIndex;
    paintCandle(context, candle, PADDING_PX + (i + 0.5) * step, step, toY, candleColours(candle, isForecast, palette));
  });
}

function priceScale(candles: readonly Candle[], height: number): (price: number) => number {
  const low = Math.min(...candles.map((c) => c.low));
  const high = Math.max(...candles.map((c) => c.high));
  const span = high - low || 1;
  return (price) => PADDING_PX + ((high - price) / span) * (height - 2 * PADDING_PX);
}

function paintGround(context: CanvasRenderingContext2D, x: number, width: number, height: number, palette: Palette) {
  context.fillStyle = withAlpha(palette.band, 0.1);
  context.fillRect(x, 0, width - x, height);
  context.fillStyle = withAlpha(palette.accent, 0.7);
  context.fillRect(Math.round(x), 0, 1, height);
}

function paintCandle(
  context: CanvasRenderingContext2D,
  candle: Candle,
  x: number,
  step: number,
  toY: (price: number) => number,
  colours: ReturnType<typeof candleColours>,
) {
  context.fillStyle = colours.wickColor;
  context.fillRect(x - 0.5, toY(candle.high), 1, Math.max(1, toY(candle.low) - toY(candle.high)));
  const top = toY(Math.max(candle.open, candle.close));
  const bodyHeight = Math.max(1, toY(Math.min(candle.open, candle.close)) - top);
  const bodyWidth = Math.max(1, step * 0.75);
  context.fillStyle = colours.borderColor;
  context.fillRect(x - bodyWidth / 2, top, bodyWidth, bodyHeight);
  const [innerWidth, innerHeight] = [bodyWidth - 2 * OUTLINE_PX, bodyHeight - 2 * OUTLINE_PX];
  if (innerWidth < 1 || innerHeight < 1) return;
  context.clearRect(x - innerWidth / 2, top + OUTLINE_PX, innerWidth, innerHeight);
  context.fillStyle = colours.color;
  context.fillRect(x - innerWidth / 2, top + OUTLINE_PX, innerWidth, innerHeight);
}
