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
