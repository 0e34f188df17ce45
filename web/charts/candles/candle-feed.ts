/** The data's owner writes here and the chart listens, so that live candles are drawn without a render of the page. */
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';

export interface ChartSeries {
  /** Oldest first. */
  candles: readonly Candle[];
  /** Opening second of the last real candle; null without a forecast. */
  joinS: number | null;
  /** Edges from the first forecast candle on; null if no band is known. */
  band: ForecastBand | null;
  /** How much the forecast's candles and band are amplified; 100 by default. */
  ampPercent?: number;
  /** The real candles that were forecast, once known: drawn over the forecast. */
  outcome?: readonly Candle[];
  /** The real candle after them that has not closed yet, of longer candles than a minute. No figure counts it. */
  forming?: Candle | null;
}

export interface FeedListener {
  /** Everything changed; redraw. */
  onReset(series: ChartSeries): void;
  onAppend(candle: Candle, series: ChartSeries): void;
  /** More of the outcome is known; the view stays where the user moved it. */
  onOutcome?(series: ChartSeries): void;
}

export interface CandleFeed {
  series(): ChartSeries;
  reset(series: ChartSeries): void;
  append(candle: Candle): void;
  /** Sets the real candles that were forecast, as far as they are known. */
  setOutcome(outcome: readonly Candle[], forming?: Candle | null): void;
  /** @returns a function that unsubscribes */
  listen(listener: FeedListener): () => void;
}

/** The public forecast; without its path, the candles alone. */
export function seriesOfLatest({ history, path, band, t0 }: LatestForecast): ChartSeries {
  const isForecast = path.length > 0;
  return { candles: [...history, ...path], joinS: isForecast ? t0 : null, band: isForecast ? band : null };
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
    setOutcome(outcome, forming = null) {
      current = { ...current, outcome, forming };
      for (const listener of listeners) listener.onOutcome?.(current);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Length of these candles in seconds: the least distance of two, as only a gap is longer. A minute by default. */
export function barSecondsIn(candles: readonly Candle[]): number {
  const distances = candles.map(({ time }, i) => time - (candles[i - 1]?.time ?? time)).filter((apart) => apart > 0);
  return distances.length === 0 ? MINUTE_S : Math.min(...distances);
}

export function realCandles(series: ChartSeries): readonly Candle[] {
  const { joinS, candles } = series;
  return joinS === null ? candles : candles.filter((candle) => candle.time <= joinS);
}

export function forecastCandles(series: ChartSeries): readonly Candle[] {
  const { joinS, candles } = series;
  return joinS === null ? [] : candles.filter((candle) => candle.time > joinS);
}
