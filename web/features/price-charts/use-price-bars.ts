import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { BAR_LENGTHS, type BarLength, type ChartPair } from './chart-choices.ts';
import { fetchBars, type PriceBars } from './price-charts-api.ts';

const REFRESH_MS = 240_000;
const CLOCK_MS = 30_000;

export interface PriceBarsState extends LastData<PriceBars> {
  nowMs: number;
}

export function usePriceBars(pair: ChartPair, length: BarLength): PriceBarsState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['price-bars', pair.name, length],
    queryFn: ({ signal }) => fetchBars(pair.name, BAR_LENGTHS[length].minutes, signal),
    refetchInterval: REFRESH_MS,
  });
  const lastData = useLastData(query, REFRESH_MS, nowMs, ({ fetchedAtMs }) => fetchedAtMs);
  const { data } = lastData;
  const isSourceStale = data?.isStale === true && data.fetchedAtMs !== null;
  return {
    ...lastData,
    failure: failureOf(lastData, pair, length),
    staleSinceMs: isSourceStale ? data.fetchedAtMs : lastData.staleSinceMs,
    nowMs,
  };
}

/** The server may answer without newer data from the exchange. */
function failureOf({ failure, data }: LastData<PriceBars>, pair: ChartPair, length: BarLength): string | null {
  if (failure !== null) return `Failed to load ${pair.shown} (${length}): ${failure}`;
  return data?.isStale === true ? `${data.attribution ?? 'The exchange'} hasn’t responded.` : null;
}
