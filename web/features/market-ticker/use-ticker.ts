/** What the ticker shows: prices, the last ones while there are no newer, or the placeholder list. */
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/browser/use-now.ts';
import { fetchTicker, type TickerItem } from './market-ticker-api.ts';
import { FALLBACK_ITEMS } from './ticker-words.ts';

/** Specification 2, section 7.1. */
const REFRESH_MS = 240_000;
/** A server that has just been started has its first prices within seconds. */
const FIRST_PRICES_MS = 5000;
const CLOCK_MS = 30_000;
/** The slowest plan of the prices' source asks it every half hour: three times that is old. */
const OLD_MS = 90 * 60_000;

export const TICKER_FAILED = 'Failed to load market data — fallback active.';

export interface TickerState {
  /** Null while the first answer is on its way. */
  items: readonly TickerItem[] | null;
  updatedAtMs: number | null;
  nowMs: number;
  /** For people; null while all is well. */
  failure: string | null;
  /** The prices are older than they should be. */
  isStale: boolean;
  isRetrying: boolean;
  retry(): void;
}

export function useTicker(): TickerState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['market-ticker'],
    queryFn: ({ signal }) => fetchTicker(signal),
    refetchInterval: ({ state }) => (state.data?.items.length === 0 ? FIRST_PRICES_MS : REFRESH_MS),
  });
  const { data, isFetching } = query;
  // A query without data forgets its error while it tries again.
  const hasFailed = query.isError || (query.isPending && query.errorUpdateCount > 0);
  const updatedAtMs = data?.updatedAtMs ?? null;
  const items = data?.items ?? null;
  const hasPrices = items !== null && items.length > 0;
  return {
    items: hasFailed && !hasPrices ? FALLBACK_ITEMS : items,
    updatedAtMs,
    nowMs,
    failure: hasFailed ? TICKER_FAILED : null,
    isStale: updatedAtMs !== null && (hasFailed || nowMs - updatedAtMs > OLD_MS),
    isRetrying: hasFailed && isFetching,
    retry: () => void query.refetch(),
  };
}
