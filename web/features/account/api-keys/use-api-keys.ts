/** State of the list of API keys. */
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../../platform/query-client.ts';
import { fetchApiKeys } from './api-keys-api.ts';

const keysKey = (userId: string) => ['api-keys', userId];

export function useApiKeys(userId: string) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: keysKey(userId),
    queryFn: ({ signal }) => fetchApiKeys(userId, signal),
    refetchOnWindowFocus: 'always',
    networkMode: 'always',
  });
  return {
    keys: data ?? null,
    hasFailed: isError && data === undefined,
    isFetching,
    retry: () => void refetch(),
    askAnew: () => queryClient.invalidateQueries({ queryKey: keysKey(userId) }),
  };
}
