import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PredictionRow } from '#domain/forecast/prediction.ts';
import { fetchPredictions, PREDICTIONS_FAILED } from './predictions-api.ts';

export interface PredictionsState {
  status: 'loading' | 'failed' | 'ready';
  rows: PredictionRow[];
  /** All of the user's predictions, shown or not. */
  total: number;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Message for the user after the list, its next page or a refetch failed; otherwise null. */
  message: string | null;
  loadMore(): void;
  retry(): void;
}

export interface PredictionPaging {
  firstCount: number;
  /** Added by each Load More. */
  pageSize: number;
  /** Increases with each prediction saved on this page, which refetches the list. */
  savedCount: number;
}

export function usePredictions(userId: string, paging: PredictionPaging): PredictionsState {
  const { firstCount, pageSize, savedCount } = paging;
  /** Number of predictions in the first `pages` pages. */
  const countIn = (pages: number): number => (pages === 0 ? 0 : firstCount + (pages - 1) * pageSize);
  const query = useInfiniteQuery({
    queryKey: ['predictions', userId, firstCount, pageSize],
    queryFn: ({ pageParam: page, signal }) =>
      fetchPredictions(userId, countIn(page), page === 0 ? firstCount : pageSize, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.total > countIn(pages.length) ? pages.length : undefined),
    staleTime: 0,
  });
  useRefetchOn(savedCount, () => void query.refetch());

  const pages = query.data?.pages ?? [];
  return {
    status: query.data !== undefined ? 'ready' : query.isError ? 'failed' : 'loading',
    rows: uniqueById(pages.flatMap((page) => page.rows)),
    total: pages.at(-1)?.total ?? 0,
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

/** A row saved between two pages shifts the rest by one, so a repeated row is shown once. */
function uniqueById(rows: readonly PredictionRow[]): PredictionRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
