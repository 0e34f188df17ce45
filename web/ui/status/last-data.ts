/** The last data of a polling query, which stays on the screen while refreshes fail. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { useIsOnline } from '../browser/online.ts';

/** Refreshes missed without an error (asleep, offline) until data counts as stale. */
const MISSED = 4;

export interface LastData<T> {
  /** Null until it first arrives. */
  data: T | null;
  /** Message for the user: why there is nothing newer; null while all is well. */
  failure: string | null;
  /** The time of `data`; null while it is current. Without a network, nothing is. */
  staleSinceMs: number | null;
  isRetrying: boolean;
  retry(): void;
}

/** @param asOfMs  when the server got `data` from its source; where it returns null, the arrival time counts */
export function useLastData<T>(
  query: UseQueryResult<T>,
  periodMs: number,
  nowMs: number,
  asOfMs: (data: T) => number | null = () => null,
): LastData<T> {
  const { data, isError, isFetching, dataUpdatedAt } = query;
  const failure = useLastFailure(query);
  const isOnline = useIsOnline();
  const isOld = data !== undefined && nowMs - dataUpdatedAt > MISSED * periodMs;
  return {
    data: data ?? null,
    failure,
    staleSinceMs: data !== undefined && (isError || isOld || !isOnline) ? (asOfMs(data) ?? dataUpdatedAt) : null,
    isRetrying: isFetching && (failure !== null || isOld),
    retry: () => void query.refetch(),
  };
}

/** A query without data drops its error while it retries; the screen must not flicker with it. */
function useLastFailure({ error, isError, isSuccess }: UseQueryResult): string | null {
  const last = useRef<string | null>(null);
  if (isError) last.current = error.message;
  else if (isSuccess) last.current = null;
  return last.current;
}
