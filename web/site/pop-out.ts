import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';

/**
 * Opens candles in a small separate window.
 * @param outcome  the real candles that were forecast, if known
 * @param band  null if none was saved
 */
export type PopOut = (
  title: string,
  candles: readonly Candle[],
  outcome?: readonly Candle[],
  band?: ForecastBand | null,
) => void;
