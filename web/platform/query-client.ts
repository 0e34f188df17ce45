import { QueryCache, QueryClient } from '@tanstack/react-query';
import { hasJustStoppedRetrying } from './calls/shed-retry.ts';
import { isTooLate } from './calls/time-limit.ts';
import { reportError } from './error-log.ts';

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => reportError(error, { query: query.queryKey.map(String).join(' ') }),
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 1 && !isTooLate(error) && !hasJustStoppedRetrying(),
      refetchOnWindowFocus: false,
    },
    mutations: { retry: 0 },
  },
});

const RETRY_MS = 15_000;

/** The `refetchInterval` of what a page can't do without: after a failure it loads again until it succeeds. */
export function retryInterval({ state }: { state: { error: Error | null } }): number | false {
  return state.error !== null && RETRY_MS;
}
