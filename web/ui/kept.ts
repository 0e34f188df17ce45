/** Data that stays on the screen while newer does not come: what a widget knows of a query that repeats. */
import type { UseQueryResult } from '@tanstack/react-query';

/** Refreshes missed, without an error (asleep, offline), until data counts as old. */
const MISSED = 4;

export interface Kept<T> {
  /** Null until it arrived once. */
  data: T | null;
  /** For people: why there is nothing newer; null while all is well. */
  failure: string | null;
  /** When `data` arrived; null when it is as new as it should be. */
  staleSinceMs: number | null;
  isRetrying: boolean;
  retry(): void;
}

/** @param periodMs  how often the query repeats */
export function keptOf<T>(query: UseQueryResult<T>, periodMs: number, nowMs: number): Kept<T> {
  const { data, error, isError, isFetching, dataUpdatedAt } = query;
  const isOld = nowMs - dataUpdatedAt > MISSED * periodMs;
  return {
    data: data ?? null,
    failure: isError ? error.message : null,
    staleSinceMs: data !== undefined && (isError || isOld) ? dataUpdatedAt : null,
    isRetrying: isFetching && (isError || isOld),
    retry: () => void query.refetch(),
  };
}
