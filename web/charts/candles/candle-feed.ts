/**
 * The candles of one chart, changing under it: who owns the data writes here, the chart listens and draws.
 * Live candles so reach the canvas without a render of the page.
 */
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { Candle } from '#domain/market/candle.ts';

export interface ChartSeries {
  /** Oldest first. */
  candles: readonly Candle[];
  /** Opening second of the last real candle; null while nothing is forecast. */
  joinS: number | null;
  /** Edges from the first forecast candle on; null where no band is known. */
  band: ForecastBand | null;
  /** How far candles and band of the forecast are stretched; 100 where nothing is said. */
  ampPercent?: number;
  /** The real candles of the forecast's minutes, where they are known: drawn over it as a line. */
  outcome?: readonly Candle[];
}

export interface FeedListener {
  /** Everything changed: draw anew. */
  onReset(series: ChartSeries): void;
  /** One candle more. */
  onAppend(candle: Candle, series: ChartSeries): void;
}

export interface CandleFeed {
  series(): ChartSeries;
  reset(series: ChartSeries): void;
  append(candle: Candle): void;
  /** @returns the undo */
  listen(listener: FeedListener): () => void;
}

export const EMPTY_SERIES: ChartSeries = { candles: [], joinS: null, band: null };

export function createCandleFeed(initial: ChartSeries = EMPTY_SERIES): CandleFeed {
  let current = initial;
  const listeners = new Set<FeedListener>();
  return {
    series: () => current,
    reset(series) {
      current = series;
      for (const listener of listeners) listener.onReset(current);
    },
    append(candle) {
      current = { ...current, candles: [...current.candles, candle] };
      for (const listener of listeners) listener.onAppend(candle, current);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Real candles of a series: those up to the join. */
export function realCandles(series: ChartSeries): readonly Candle[] {
  const { joinS, candles } = series;
  return joinS === null ? candles : candles.filter((candle) => candle.time <= joinS);
}

/** Forecast candles of a series: those after the join. */
export function forecastCandles(series: ChartSeries): readonly Candle[] {
  const { joinS, candles } = series;
  return joinS === null ? [] : candles.filter((candle) => candle.time > joinS);
}
