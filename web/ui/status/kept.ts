/** Data that stays on the screen while newer does not come: what a widget knows of a query that repeats. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';

/** Refreshes missed, without an error (asleep, offline), until data counts as old. */
const MISSED = 4;

export interface Kept<T> {
  /** Null until it arrived once. */
  data: T | null;
  /** For people: why there is nothing newer; null while all is well. */
  failure: string | null;
  /** The moment `data` is of; null when it is as new as it should be. */
  staleSinceMs: number | null;
  isRetrying: boolean;
  retry(): void;
}

/**
 * @param periodMs  how often the query repeats
 * @param asOfMs    when the server had `data` from its source; null where it does not say: then its arrival counts
 */
export function useKept<T>(
  query: UseQueryResult<T>,
  periodMs: number,
  nowMs: number,
  asOfMs: (data: T) => number | null = () => null,
): Kept<T> {
  const { data, isError, isFetching, dataUpdatedAt } = query;
  const failure = useLastFailure(query);
  const isOld = data !== undefined && nowMs - dataUpdatedAt > MISSED * periodMs;
  return {
    data: data ?? null,
    failure,
    staleSinceMs: data !== undefined && (isError || isOld) ? (asOfMs(data) ?? dataUpdatedAt) : null,
    isRetrying: isFetching && (failure !== null || isOld),
    retry: () => void query.refetch(),
  };
}

/** A query without data forgets its error while it tries again: what is on the screen must not flicker with it. */
function useLastFailure({ error, isError, isSuccess }: UseQueryResult): string | null {
  const last = useRef<string | null>(null);
  if (isError) last.current = error.message;
  else if (isSuccess) last.current = null;
  return last.current;
}
