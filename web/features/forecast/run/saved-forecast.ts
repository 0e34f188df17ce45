/** Forecasts that were made before, as the big chart shows them. */
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { StoredForecast } from '#domain/forecast/stream-message.ts';
import { DEFAULT_AMPLIFY_PERCENT, HORIZON_BARS, joinPrediction } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { barSecondsIn, type ChartSeries } from '../../../charts/candles/candle-feed.ts';
import type { ShownForecast } from './forecast-state.ts';

export interface WholeForecast {
  series: ChartSeries;
  shown: ShownForecast;
  /** Null if unknown: the market of the candles on the chart. */
  marketKind: MarketKind | null;
}

export function wholeOfStored({ start, history, forecast }: StoredForecast): WholeForecast {
  const { t0, band, ampPercent, marketKind, releases } = start;
  const candles = joinPrediction(history, forecast);
  return { series: { candles, joinS: t0, band, ampPercent, releases }, shown: start, marketKind };
}

/** Null for a prediction that is not whole, and for a model that no longer exists. */
export function wholeOfRow(row: PredictionRow): WholeForecast | null {
  const { candles } = readSavedCandles(row.data);
  const joinS = savedJoinS(candles);
  const model = modelOfBackendName(row.model)?.name;
  if (joinS === null || model === undefined) return null;
  return {
    series: { candles, joinS, band: row.band ?? null, releases: row.releases ?? undefined },
    shown: { model, issuedAtMs: Date.parse(row.created_at), ampPercent: DEFAULT_AMPLIFY_PERCENT },
    marketKind: null,
  };
}

/**
 * A forecast whose 50 candles still run, with the real ones since; null for any other, and for one whole on another
 * market.
 * @param real  the latest real candles of its market
 */
export function stillRunning(whole: WholeForecast, real: readonly Candle[]): WholeForecast | null {
  const { series } = whole;
  const join = series.candles.find(({ time }) => time === series.joinS);
  const isOfThisMarket = real.some(({ time, close }) => time === join?.time && close === join.close);
  const { candles: outcome, isOver } = outcomeSoFar(series.joinS ?? 0, real, barSecondsIn(series.candles));
  return isOfThisMarket && !isOver ? { ...whole, series: { ...series, outcome } } : null;
}

/** The real candles that were forecast, and whether they are all known. @param barS  length of a candle in seconds */
function outcomeSoFar(joinS: number, real: readonly Candle[], barS: number): { candles: Candle[]; isOver: boolean } {
  const endS = joinS + HORIZON_BARS * barS;
  const isOfThisMarket = real.some(({ time }) => time === joinS);
  const candles = isOfThisMarket ? real.filter(({ time }) => time > joinS && time <= endS) : [];
  return { candles, isOver: !isOfThisMarket || (real.at(-1)?.time ?? endS) >= endS };
}
