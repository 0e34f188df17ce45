import { bearerHeader } from '../../../session/session.ts';
import { fetchCandles, type History, type HistoryMarket, type Patience } from '../../../site/history-api.ts';

/** As the signed-in user, if there is one. @throws as fetchCandles */
export async function fetchHistory(market: HistoryMarket, signal: AbortSignal, patience?: Patience): Promise<History> {
  return fetchCandles(market, await bearerHeader(), signal, patience);
}
