/** Whether anything is saved, which decides the dashboard's layout; the list itself loads later, and only if there is one. */
import { useQuery } from '@tanstack/react-query';
import { fetchHasPredictions } from './has-predictions-api.ts';

/** @returns null until known, and if it cannot be read: `isSettled` tells which */
export function useHasPredictions(userId: string): { hasPredictions: boolean | null; isSettled: boolean } {
  const { data, isPending } = useQuery({
    queryKey: ['has predictions', userId],
    queryFn: ({ signal }) => fetchHasPredictions(userId, signal),
    enabled: userId !== '',
    // A prediction may have been saved on another page.
    staleTime: 0,
    retry: false,
  });
  return { hasPredictions: data ?? null, isSettled: !isPending };
}
