import { useInfiniteQuery } from '@tanstack/react-query';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { ListedRecord } from '#domain/record/figures/track-summary.ts';
import { fetchRecords, RECORDS_A_PAGE } from '../track-record-api.ts';

interface RecordChoice {
  market: MarketKind;
  timeframe: Timeframe;
  /** Null for all of them. */
  sym: string | null;
  model: ModelName | null;
  isSealed: boolean;
}

export interface RecordsState {
  /** Null until the first page loads. */
  cards: ListedRecord[] | null;
  hasOlder: boolean;
  isLoading: boolean;
  /** The cards belong to the previous choice. */
  isOld: boolean;
  hasFailed: boolean;
  showOlder(): void;
  retry(): void;
}

/** How often the newest page is refetched; with older pages loaded, nothing is refetched under the reader. */
const AGAIN_MS = 60_000;

/** Records of one choice, page by page. @param isRequested  false fetches nothing yet */
export function useRecords(choice: RecordChoice, isRequested: boolean): RecordsState {
  const { market, timeframe, sym, model, isSealed } = choice;
  const query = useInfiniteQuery({
    queryKey: ['track-record', 'records', isSealed, market, timeframe, sym, model],
    queryFn: ({ pageParam, signal }) => fetchRecords({ ...choice, before: pageParam }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length < RECORDS_A_PAGE ? undefined : last.at(-1)?.seq),
    enabled: isRequested,
    // Sealed records have other columns, and the summary has the newest revealed ones of all symbols and models.
    placeholderData: (before, query) => {
      const isSameTable = query?.queryKey[2] === isSealed;
      return isSameTable && (isSealed || sym !== null || model !== null) ? before : undefined;
    },
    staleTime: AGAIN_MS,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : AGAIN_MS),
  });
  return {
    cards: query.data?.pages.flat() ?? null,
    hasOlder: query.hasNextPage,
    isLoading: query.isFetchingNextPage || query.isLoading,
    isOld: query.isPlaceholderData,
    hasFailed: query.isError,
    showOlder: () => void query.fetchNextPage(),
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  };
}
