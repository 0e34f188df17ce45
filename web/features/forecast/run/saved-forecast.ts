/** Saved predictions as the big chart shows them. */
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type PredictionRow, readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { DEFAULT_AMPLIFY_PERCENT } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { barSecondsIn } from '../../../charts/candles/candle-feed.ts';
import type { WholeForecast } from './forecast-run.ts';
import { outcomeSoFar } from './outcome-so-far.ts';

/** Null for a prediction that is not whole, and for a model that no longer exists. */
export function wholeOfRow(row: PredictionRow): WholeForecast | null {
  const { candles } = readSavedCandles(row.data);
  const joinS = savedJoinS(candles);
  const model = modelOfBackendName(row.model)?.name;
  if (joinS === null || model === undefined) return null;
  return {
    series: { candles, joinS, band: row.band ?? null },
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
