import * as z from 'zod/mini';
import { readSavedCandles, savedJoinS } from '#domain/forecast/prediction.ts';
import { callTables } from '../../../platform/supabase.ts';
import type { Market } from '../run/market.ts';

const FAILED = 'Failed to load predictions';
const rowsSchema = z.array(z.object({ id: z.string(), data: z.unknown() }));

/**
 * Id of the user's newest prediction of a market, if it is the one on the chart; null otherwise.
 * @throws Error with a message for users
 */
export async function fetchSavedId(
  userId: string,
  { symbol, timeframe }: Market,
  joinS: number | null,
  signal: AbortSignal,
): Promise<string | null> {
  const { data } = await callTables(FAILED, signal, (client, limited) =>
    client
      .from('user_predictions')
      .select('id,data')
      .eq('user_id', userId)
      .eq('cryptocurrency', symbol.label)
      .eq('timeframe', timeframe)
      .order('created_at', { ascending: false })
      .limit(1)
      .abortSignal(limited),
  );
  const [row] = z.parse(rowsSchema, data);
  return row !== undefined && savedJoinS(readSavedCandles(row.data).candles) === joinS ? row.id : null;
}
