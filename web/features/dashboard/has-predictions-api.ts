import { callTables } from '../../platform/supabase.ts';

/** @throws Error with a message for users; the signal's reason */
export async function fetchHasPredictions(userId: string, signal: AbortSignal): Promise<boolean> {
  const { data } = await callTables('Failed to load predictions', signal, (client, limited) =>
    client.from('user_predictions').select('id').eq('user_id', userId).limit(1).retry(false).abortSignal(limited),
  );
  return Array.isArray(data) && data.length > 0;
}
