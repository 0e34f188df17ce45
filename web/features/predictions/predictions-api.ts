import type * as z from 'zod/mini';
import { type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import { type OutcomeRow, outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import { callTables, type TableAnswer } from '../../platform/supabase.ts';

export interface PredictionPage {
  rows: PredictionRow[];
  /** All of the user's predictions, not only those of this page. */
  total: number;
}

/**
 * @param from  how many newer ones to skip
 * @throws Error with the server's message, or 'Failed to load predictions', also after 15 seconds; the signal's reason
 */
export async function fetchPredictions(
  userId: string,
  from: number,
  count: number,
  signal: AbortSignal,
): Promise<PredictionPage> {
  const answer = await callTables(PREDICTIONS_FAILED, signal, (client, limited) =>
    client
      .from('user_predictions')
      .select('*', { count: 'exact' })
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      // The callers retry; a grid must not show skeletons while the library retries too.
      .retry(false)
      .range(from, from + count - 1)
      .abortSignal(limited),
  );
  const rows = parsedBy(predictionRowSchema, answer.data);
  return { rows, total: answer.count ?? rows.length };
}

export const PREDICTIONS_FAILED = 'Failed to load predictions';

/** The existing outcomes of these predictions. @throws Error, also after 15 seconds; the signal's reason */
export async function fetchOutcomes(predictionIds: readonly string[], signal: AbortSignal): Promise<OutcomeRow[]> {
  const batches: Promise<TableAnswer>[] = [];
  for (let from = 0; from < predictionIds.length; from += OUTCOME_BATCH) {
    const ids = predictionIds.slice(from, from + OUTCOME_BATCH);
    batches.push(
      callTables(OUTCOMES_FAILED, signal, (client, limited) =>
        client.from('prediction_outcomes').select(OUTCOME_COLUMNS).in('prediction_id', ids).abortSignal(limited),
      ),
    );
  }
  return (await Promise.all(batches)).flatMap(({ data }) => parsedBy(outcomeRowSchema, data));
}

/** Their ids are in the URL, whose length is limited. */
const OUTCOME_BATCH = 50;
const OUTCOME_COLUMNS = 'prediction_id,market_kind,due_at,state,void_reason,returned_at,candles,score';
const OUTCOMES_FAILED = 'Failed to load outcomes';

function parsedBy<T>(schema: z.ZodMiniType<T>, data: unknown): T[] {
  return (data as unknown[]).flatMap((row) => schema.safeParse(row).data ?? []);
}
