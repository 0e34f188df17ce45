/** The user's saved predictions, newest first, a page at a time. Specification 2, section 7.1. */
import { type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import { supabase } from '../../platform/supabase.ts';

export interface PredictionPage {
  rows: PredictionRow[];
  /** All of the user's predictions, not only those of this page. */
  total: number;
}

/**
 * @param page  from 0
 * @throws Error with the server's message, or 'Failed to load predictions'
 */
export async function fetchPredictions(userId: string, page: number, pageSize: number): Promise<PredictionPage> {
  const client = await supabase();
  const { data, error, count } = await client
    .from('user_predictions')
    .select('*', { count: 'exact' })
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    .range(page * pageSize, page * pageSize + pageSize - 1);
  if (error !== null) throw new Error(error.message || PREDICTIONS_FAILED, { cause: error });
  const rows = (data as unknown[]).flatMap((row) => {
    const parsed = predictionRowSchema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
  return { rows, total: count ?? rows.length };
}

export const PREDICTIONS_FAILED = 'Failed to load predictions';
