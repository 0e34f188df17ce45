/** Single forecasts of the record by page, newest first, of one symbol or model where asked. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import type { RecordCard } from '#domain/record/track-summary.ts';
import { fetchRecords, RECORDS_A_PAGE } from './track-record-api.ts';

export interface RecordChoice {
  market: MarketKind;
  /** Null: all of them. */
  sym: string | null;
  model: ModelName | null;
}

export interface RecordsState {
  /** Null until the first page has come. */
  cards: RecordCard[] | null;
  hasOlder: boolean;
  isLoading: boolean;
  /** The cards are of the choice before. */
  isOld: boolean;
  hasFailed: boolean;
  showOlder(): void;
  retry(): void;
}

/** The newest page is asked for again as often; whoever has gone back to older ones reads on undisturbed. */
const AGAIN_MS = 60_000;

/** @param isAsked  false: nothing is fetched yet */
export function useRecords({ market, sym, model }: RecordChoice, isAsked: boolean): RecordsState {
  const query = useInfiniteQuery({
    queryKey: ['track-record', 'records', market, sym, model],
    queryFn: ({ pageParam, signal }) => fetchRecords({ market, sym, model, before: pageParam }, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length < RECORDS_A_PAGE ? undefined : last.at(-1)?.seq),
    enabled: isAsked,
    // All of them are at hand already, and what was chosen before is not among the newest.
    placeholderData: (before) => (sym === null && model === null ? undefined : before),
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
