import { readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import type { ChartMarket } from '../run/chart-market.ts';
import { fetchNewest } from '../run/forecast-api.ts';

/**
 * Id of the user's newest prediction of a market, if it is the one on the chart; null otherwise.
 * @throws Error with a message for users
 */
export async function fetchSavedId(
  userId: string,
  market: ChartMarket,
  joinS: number | null,
  signal: AbortSignal,
): Promise<string | null> {
  const row = await fetchNewest(userId, market, signal);
  return row !== null && savedJoinS(readSavedCandles(row.data).candles) === joinS ? row.id : null;
}
