import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { WatchRow } from '#domain/watchlist/watch-row.ts';
import { pairKey, type Watchlist } from '#domain/watchlist/watchlist.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { fetchWatchRows } from './watchlist-api.ts';

const REFRESH_MS = 5000;
/** While a symbol's first prices are on their way. */
const LOADING_MS = 1000;

export interface ShownWatchRows {
  /** By `pairKey`. */
  rows: LastData<ReadonlyMap<string, WatchRow>>;
  nowMs: number;
}

/** Read while the page is visible. Another order of the same pairs is the same query. */
export function useWatchRows(pairs: Watchlist): ShownWatchRows {
  const nowMs = useNow(REFRESH_MS);
  const sorted = pairs.toSorted((a, b) => (pairKey(a) < pairKey(b) ? -1 : 1));
  const query = useQuery({
    queryKey: ['watch rows', ...sorted.map(pairKey)],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, WatchRow>> => {
      const rows = await fetchWatchRows(sorted, signal);
      return new Map(rows.map((row) => [pairKey(row), row]));
    },
    enabled: pairs.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) => (isLoading(state.data) ? LOADING_MS : REFRESH_MS),
  });
  return { rows: useLastData(query, REFRESH_MS, nowMs), nowMs };
}

function isLoading(rows: ReadonlyMap<string, WatchRow> | undefined): boolean {
  return [...(rows?.values() ?? [])].some(({ state }) => state === 'loading');
}
