/** The user's saved predictions, newest first, and what came of them. Specification 2, section 7.1. */
import { type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import { type OutcomeRow, outcomeRowSchema } from '#domain/record/outcome.ts';
import { serverWords } from '../../platform/call-error.ts';
import { supabase } from '../../platform/supabase.ts';

export interface PredictionPage {
  rows: PredictionRow[];
  /** All of the user's predictions, not only those of this page. */
  total: number;
}

/**
 * @param from   how many newer ones are left out
 * @param count  how many are read
 * @throws Error with the server's own words, or 'Failed to load predictions'
 */
export async function fetchPredictions(userId: string, from: number, count: number): Promise<PredictionPage> {
  const client = await supabase();
  const answer = await client
    .from('user_predictions')
    .select('*', { count: 'exact' })
    .eq('user_id', userId)
    .order('created_at', { ascending: false })
    // Who shows them tries again; a grid must not stand grey while the library does on its own.
    .retry(false)
    .range(from, from + count - 1);
  const { data, error } = answer;
  if (error !== null) throw new Error(serverWords(error, PREDICTIONS_FAILED), { cause: error });
  const rows = (data as unknown[]).flatMap((row) => {
    const parsed = predictionRowSchema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
  return { rows, total: answer.count ?? rows.length };
}

export const PREDICTIONS_FAILED = 'Failed to load predictions';

/** Of these predictions, as far as there are any. @throws Error */
export async function fetchOutcomes(predictionIds: readonly string[]): Promise<OutcomeRow[]> {
  const client = await supabase();
  const asked: Promise<OutcomeRow[]>[] = [];
  for (let from = 0; from < predictionIds.length; from += OUTCOMES_AT_ONCE)
    asked.push(outcomesOf(client, predictionIds.slice(from, from + OUTCOMES_AT_ONCE)));
  return (await Promise.all(asked)).flat();
}

/** Their ids stand in the address, which has its limits. */
const OUTCOMES_AT_ONCE = 50;
const OUTCOME_COLUMNS = 'prediction_id,market_kind,due_at,state,void_reason,returned_at,candles,score';

async function outcomesOf(client: Awaited<ReturnType<typeof supabase>>, ids: readonly string[]): Promise<OutcomeRow[]> {
  const { data, error } = await client.from('prediction_outcomes').select(OUTCOME_COLUMNS).in('prediction_id', ids);
  if (error !== null) throw new Error(error.message, { cause: error });
  return (data as unknown[]).flatMap((row) => {
    const parsed = outcomeRowSchema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
