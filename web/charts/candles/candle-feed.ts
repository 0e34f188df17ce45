/** The data's owner writes here and the chart listens, so that live candles are drawn without a render of the page. */
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import type { UsualRange } from '#domain/forecast/ranges/usual-range.ts';
import type { ForecastReleases } from '#domain/forecast/releases/forecast-releases.ts';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';

export interface ChartSeries {
  /** Oldest first. */
  candles: readonly Candle[];
  /** Opening second of the last real candle; null without a forecast. */
  joinS: number | null;
  /** Edges from the first forecast candle on; null if no band is known. */
  band: ForecastBand | null;
  /** What the forecast knows of scheduled releases; absent: there are none, or it was made before they were counted. */
  releases?: ForecastReleases | undefined;
  /** How much the forecast's candles and band are amplified; 100 by default. */
  ampPercent?: number;
  /** The real candles since the join, as far as they are known: drawn over the forecast, and past its end. */
  outcome?: readonly Candle[];
  /** The candle after the last closed one, which still changes. No figure counts it. */
  forming?: Candle | null;
  /** Null while no live price is known. */
  live?: LiveMoment | null;
  /** The range after the last closed bar, or after the join, by past volatility alone; null until it is known. */
  usual?: UsualRange | null;
}

export interface LiveMoment {
  /** Whole seconds until the forming candle closes; null if unknown, as in a closed market. */
  closesInS: number | null;
  /** Whole seconds since the price was last current; null while it is. */
  lateS: number | null;
}

export interface FeedListener {
  /** Everything changed; redraw. */
  onReset(series: ChartSeries): void;
  onAppend(candle: Candle, series: ChartSeries): void;
  /** A bar has closed: the candles rolled on, or more of the outcome is known. The view stays where the user moved it. */
  onClose?(series: ChartSeries): void;
  /** The forming candle moved, or a second passed. */
  onMove?(series: ChartSeries): void;
  onUsual?(series: ChartSeries): void;
}

export interface CandleFeed {
  series(): ChartSeries;
  reset(series: ChartSeries): void;
  append(candle: Candle): void;
  /** A bar has closed. With a forecast the real candles since the join, without one all candles. */
  close(real: readonly Candle[], forming: Candle | null): void;
  move(forming: Candle | null, live: LiveMoment | null): void;
  /** Outlasts a reset: a forecast that starts from its bar is drawn over it. */
  setUsual(usual: UsualRange | null): void;
  /** @returns a function that unsubscribes */
  listen(listener: FeedListener): () => void;
}

/** The public forecast; without its path, the candles alone. */
export function seriesOfLatest({ history, path, band, t0, releases }: LatestForecast): ChartSeries {
  const candles = [...history, ...path];
  return path.length > 0 ? { candles, joinS: t0, band, releases } : { candles, joinS: null, band: null };
}

export const EMPTY_SERIES: ChartSeries = { candles: [], joinS: null, band: null };

export function createCandleFeed(initial: ChartSeries = EMPTY_SERIES): CandleFeed {
  let current = initial;
  const listeners = new Set<FeedListener>();
  return {
    series: () => current,
    reset(series) {
      current = { usual: current.usual ?? null, ...series };
      for (const listener of listeners) listener.onReset(current);
    },
    append(candle) {
      current = { ...current, candles: [...current.candles, candle] };
      for (const listener of listeners) listener.onAppend(candle, current);
    },
    close(real, forming) {
      const closed = current.joinS === null ? { candles: real } : { outcome: real };
      current = { ...current, ...closed, forming };
      for (const listener of listeners) listener.onClose?.(current);
    },
    move(forming, live) {
      current = { ...current, forming, live };
      for (const listener of listeners) listener.onMove?.(current);
    },
    setUsual(usual) {
      current = { ...current, usual };
      for (const listener of listeners) listener.onUsual?.(current);
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

/** The real candles that were forecast, as far as they are known: those after the forecast's end count for nothing. */
export function judgedCandles({ outcome = [], joinS }: ChartSeries): readonly Candle[] {
  return joinS === null ? [] : outcome.slice(0, HORIZON_BARS);
}

/** The real candles after the join, or after all of them without a forecast; the last one may still form. */
export function sinceJoin({ joinS, outcome = [], forming }: ChartSeries): readonly Candle[] {
  const closed = joinS === null ? [] : outcome;
  return forming ? [...closed, forming] : closed;
}

/** Opening second of the last bar of the forecast that has begun; 0 without one. */
export function passedS(series: ChartSeries): number {
  return series.joinS === null ? 0 : (sinceJoin(series).at(-1)?.time ?? 0);
}

/** The newest price: of the candle that forms, or the last close. Null for an empty chart. */
export function newestCandle(series: ChartSeries): Candle | null {
  return series.forming ?? series.outcome?.at(-1) ?? realCandles(series).at(-1) ?? null;
}

/** The real candle that opened then, or the forecast's; null without one. */
export function candleAt(series: ChartSeries, timeS: number): Candle | null {
  const { outcome = [], forming, candles } = series;
  const isThis = ({ time }: Candle) => time === timeS;
  return outcome.find(isThis) ?? (forming?.time === timeS ? forming : null) ?? candles.find(isThis) ?? null;
}

/** The usual range if it starts where the chart's future does: after the join, or after the last closed candle. */
export function usualAhead(series: ChartSeries): UsualRange | null {
  const startS = series.joinS ?? series.candles.at(-1)?.time;
  return series.usual && series.usual.t0 === startS ? series.usual : null;
}

/** What is released after the join, or after the last closed candle, as far as what is drawn there knows. */
export function releasesAhead(series: ChartSeries): ForecastReleases | undefined {
  return series.joinS === null ? usualAhead(series)?.releases : series.releases;
}

export function forecastCandles(series: ChartSeries): readonly Candle[] {
  const { joinS, candles } = series;
  return joinS === null ? [] : candles.filter((candle) => candle.time > joinS);
}
