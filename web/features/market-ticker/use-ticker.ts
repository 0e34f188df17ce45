/** Data of the ticker: prices, the last ones until newer arrive, or the placeholder list. */
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../ui/browser/use-now.ts';
import { fetchTicker, type TickerItem } from './market-ticker-api.ts';
import { FALLBACK_ITEMS } from './ticker-labels.ts';

/** Specified refresh interval. */
const REFRESH_MS = 240_000;
/** A newly started server has its first prices within seconds. */
const FIRST_PRICES_MS = 5000;
const CLOCK_MS = 30_000;
/** On the slowest plan, the price source is queried every half hour; three times that counts as old. */
const OLD_MS = 90 * 60_000;

export const TICKER_FAILED = 'Failed to load market data — fallback active.';

export interface TickerState {
  /** Null until the first answer arrives. */
  items: readonly TickerItem[] | null;
  updatedAtMs: number | null;
  nowMs: number;
  /** Message for users; null without a failure. */
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
  // A query without data clears its error while it retries.
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
