/** Whether anything is saved, which decides the dashboard's layout; the list itself loads later, and only if there is one. */
import { useQuery } from '@tanstack/react-query';
import { callTables } from '../../platform/supabase.ts';

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

async function fetchHasPredictions(userId: string, signal: AbortSignal): Promise<boolean> {
  const { data } = await callTables('Failed to load predictions', signal, (client, limited) =>
    client.from('user_predictions').select('id').eq('user_id', userId).limit(1).retry(false).abortSignal(limited),
  );
  return Array.isArray(data) && data.length > 0;
}
