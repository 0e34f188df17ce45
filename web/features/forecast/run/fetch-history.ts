import { bearerHeader } from '../../../session/session.ts';
import { fetchCandles, type History, type HistoryMarket, type HistoryOptions } from '../../../site/history-api.ts';

/** As the signed-in user, if there is one. @throws as fetchCandles */
export async function fetchHistory(
  market: HistoryMarket,
  signal: AbortSignal,
  patience?: HistoryOptions['patience'],
): Promise<History> {
  return fetchCandles(market, { bearer: await bearerHeader(), signal, patience });
}
