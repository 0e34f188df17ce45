/** Draws candles as few path strings (one for all rising bodies, one for all falling ones, ...): small and fast. */
import type { Candle } from '../market/candle.ts';

export type DrawableCandle = Pick<Candle, 'open' | 'high' | 'low' | 'close'>;

export interface CandlePaths {
  upBodies: string;
  upWicks: string;
  downBodies: string;
  downWicks: string;
}

export interface CandlePlace {
  /** Middle of the first candle. */
  left: number;
  /** Distance between the middles of two candles. */
  step: number;
  bodyWidth: number;
  /** Maps a price to the picture's vertical axis, which points down. */
  yOf(price: number): number;
}

/** Smallest body height, so that an unchanged minute is still visible. */
const MIN_BODY = 0.6;

export function candlePaths(candles: readonly DrawableCandle[], place: CandlePlace): CandlePaths {
  const paths: CandlePaths = { upBodies: '', upWicks: '', downBodies: '', downWicks: '' };
  for (const [index, candle] of candles.entries()) {
    const x = place.left + index * place.step;
    const isUp = candle.close >= candle.open;
    const top = place.yOf(Math.max(candle.open, candle.close));
    const bottom = Math.max(place.yOf(Math.min(candle.open, candle.close)), top + MIN_BODY);
    const wicks = line(x, place.yOf(candle.high), top) + line(x, bottom, place.yOf(candle.low));
    const body = box(x - place.bodyWidth / 2, top, place.bodyWidth, bottom - top);
    paths[isUp ? 'upBodies' : 'downBodies'] += body;
    paths[isUp ? 'upWicks' : 'downWicks'] += wicks;
  }
  return paths;
}

/** The area between two lines of points, as one closed outline. */
export function areaPath(upper: readonly Point[], lower: readonly Point[]): string {
  const points = [...upper, ...[...lower].reverse()];
  return points.length === 0 ? '' : `M${points.map(({ x, y }) => `${short(x)} ${short(y)}`).join('L')}Z`;
}

export interface Point {
  x: number;
  y: number;
}

/** Rounds to a tenth of a unit, finer than any screen shows. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function line(x: number, from: number, to: number): string {
  return to - from < 0.05 ? '' : `M${short(x)} ${short(from)}V${short(to)}`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
}
