/** GET /forecast/usual: the range that past volatility alone predicts, for everyone. */
import { type UsualRange, usualRangeSchema } from '#domain/forecast/ranges/usual-range.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { routeUrl } from '../../../platform/calls/route-url.ts';
import { retryingFetch } from '../../../platform/calls/shed-retry.ts';
import type { ChartMarket } from '../run/chart-market.ts';

/** @throws Error when there is none now, or the answer cannot be read */
export async function fetchUsualRange({ symbol, timeframe }: ChartMarket, signal: AbortSignal): Promise<UsualRange> {
  const { exc, sym } = symbol;
  const url = routeUrl('/forecast/usual', { exc, sym, ...(timeframe !== DEFAULT_TIMEFRAME && { tf: timeframe }) });
  const headers = { accept: 'application/json' };
  const response = await retryingFetch(url, { signal, headers, cache: 'no-cache' });
  if (!response.ok) throw new Error(`GET /forecast/usual answered ${response.status}.`);
  return usualRangeSchema.parse(await response.json());
}
