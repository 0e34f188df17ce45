/**
 * Amplification of a drawn forecast: log deviations from the last real close times amp / 100. It changes what is shown,
 * never what was computed, and never touches real candles or volume (R-FORECAST-24).
 */
import type { Candle } from '../market/candle.ts';
import type { ForecastBand } from './quantiles.ts';
import { DEFAULT_AMPLIFY_PERCENT } from './window.ts';

export const MIN_AMPLIFY_PERCENT = 0;
export const MAX_AMPLIFY_PERCENT = 500;

/** Percent from a number or numeric text, clamped to 0 to 500; anything that is not a finite number gives 100. */
export function readAmpPercent(value: unknown): number {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  const percent = isNumeric ? Number(value) : Number.NaN;
  if (!Number.isFinite(percent)) return DEFAULT_AMPLIFY_PERCENT;
  return Math.min(MAX_AMPLIFY_PERCENT, Math.max(MIN_AMPLIFY_PERCENT, percent));
}

/** p' = C0 exp(amp/100 ln(p/C0)); exactly `price` at 100. Both prices are positive. */
export function amplifyPrice(price: number, lastClose: number, ampPercent: number): number {
  if (ampPercent === DEFAULT_AMPLIFY_PERCENT) return price;
  return lastClose * Math.exp((ampPercent / 100) * Math.log(price / lastClose));
}

/** A forecast candle amplified by `ampPercent`: time and volume are unchanged, and its prices stay in order. */
export function amplifyCandle(candle: Candle, lastClose: number, ampPercent: number): Candle {
  const at = (price: number): number => amplifyPrice(price, lastClose, ampPercent);
  return { ...candle, open: at(candle.open), high: at(candle.high), low: at(candle.low), close: at(candle.close) };
}

export function amplifyBand(band: ForecastBand, lastClose: number, ampPercent: number): ForecastBand {
  const each = (edge: readonly number[]): number[] => edge.map((price) => amplifyPrice(price, lastClose, ampPercent));
  return {
    lower80: each(band.lower80),
    upper80: each(band.upper80),
    lower95: each(band.lower95),
    upper95: each(band.upper95),
  };
}
