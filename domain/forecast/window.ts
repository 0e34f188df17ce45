/** The forecast window: 450 candles read, 150 shown, 50 forecast, 200 saved (R-FORECAST-4, R-FORECAST-6). */
import { AppError } from '../errors/app-error.ts';
import type { Candle } from '../market/candle.ts';

export const LOOKBACK_BARS = 450;
export const HISTORY_BARS = 150;
export const HORIZON_BARS = 50;
export const PREDICTION_BARS = HISTORY_BARS + HORIZON_BARS;
export const MIN_LOOKBACK_BARS = 120;
export const DEFAULT_AMPLIFY_PERCENT = 100;
/** Demo: one candle per 100 ms (R-FORECAST-16). */
export const DEMO_REVEAL_MS = 100;

/**
 * Joins the shown history with a finished forecast into the series that is saved.
 *
 * @param history   candles, oldest first, at least 150; only the last 150 are used
 * @param forecast  candles, oldest first, at least 50; only the first 50 are used
 * @returns exactly 200 candles, strictly rising in `time`
 * @throws AppError `forecast/too-short` when either side has fewer or time does not increase across the join
 */
export function joinPrediction(history: readonly Candle[], forecast: readonly Candle[]): Candle[] {
  if (history.length < HISTORY_BARS || forecast.length < HORIZON_BARS) throw new AppError('forecast/too-short');
  const joined = [...history.slice(-HISTORY_BARS), ...forecast.slice(0, HORIZON_BARS)];
  const isRising = joined.every((candle, i) => i === 0 || candle.time > (joined[i - 1]?.time ?? 0));
  if (!isRising) throw new AppError('forecast/too-short', { details: { reason: 'time does not increase' } });
  return joined;
}
