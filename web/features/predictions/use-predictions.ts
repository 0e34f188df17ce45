/** Saved predictions as the grid shows them: pages loaded so far, and whether there are more. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { fetchPredictions, PREDICTIONS_FAILED } from './predictions-api.ts';

export interface PredictionsState {
  status: 'loading' | 'failed' | 'ready';
  rows: PredictionRow[];
  /** The total count exceeds the pages loaded. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /** For people; null unless `failed`, or unless the next page failed. */
  message: string | null;
  loadMore(): void;
  retry(): void;
}

/** @param savedCount  grows with each prediction that was saved on this page; the list is then read again */
export function usePredictions(userId: string, pageSize: number, savedCount: number): PredictionsState {
  const query = useInfiniteQuery({
    queryKey: ['predictions', userId, pageSize],
    queryFn: ({ pageParam }) => fetchPredictions(userId, pageParam, pageSize),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.total > pages.length * pageSize ? pages.length : undefined),
    staleTime: 0,
  });
  useRefetchOn(savedCount, () => void query.refetch());

  const rows = uniqueById(query.data?.pages.flatMap((page) => page.rows) ?? []);
  const isReady = query.data !== undefined;
  return {
    status: isReady ? 'ready' : query.isError ? 'failed' : 'loading',
    rows,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    message: query.isError ? query.error.message || PREDICTIONS_FAILED : null,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}

function useRefetchOn(count: number, refetch: () => void): void {
  const latest = useRef(refetch);
  latest.current = refetch;
  const seen = useRef(count);
  useEffect(() => {
    if (seen.current === count) return;
    seen.current = count;
    latest.current();
  }, [count]);
}

/** A row saved between two pages shifts the rest by one: what comes twice is shown once. */
function uniqueById(rows: readonly PredictionRow[]): PredictionRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
