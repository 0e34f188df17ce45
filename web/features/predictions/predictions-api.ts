/** The user's saved predictions, newest first, and what came of them. Specification 2, section 7.1. */
import type * as z from 'zod/mini';
import { type PredictionRow, predictionRowSchema } from '#domain/forecast/prediction.ts';
import { type OutcomeRow, outcomeRowSchema } from '#domain/record/scoring/outcome.ts';
import { serverWords } from '../../platform/calls/call-error.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { type BackendClient, supabase } from '../../platform/supabase.ts';

export interface PredictionPage {
  rows: PredictionRow[];
  /** All of the user's predictions, not only those of this page. */
  total: number;
}

/**
 * @param from   how many newer ones are left out
 * @param count  how many are read
 * @throws Error with the server's own words, or 'Failed to load predictions', after 15 seconds too; the signal's reason
 */
export async function fetchPredictions(
  userId: string,
  from: number,
  count: number,
  signal: AbortSignal,
): Promise<PredictionPage> {
  const answer = await ask(PREDICTIONS_FAILED, signal, (client, limited) =>
    client
      .from('user_predictions')
      .select('*', { count: 'exact' })
      .eq('user_id', userId)
      .order('created_at', { ascending: false })
      // Who shows them tries again; a grid must not stand grey while the library does on its own.
      .retry(false)
      .range(from, from + count - 1)
      .abortSignal(limited),
  );
  const rows = parsedBy(predictionRowSchema, answer.data);
  return { rows, total: answer.count ?? rows.length };
}

export const PREDICTIONS_FAILED = 'Failed to load predictions';

/** Of these predictions, as far as there are any. @throws Error, after 15 seconds too; the signal's reason */
export async function fetchOutcomes(predictionIds: readonly string[], signal: AbortSignal): Promise<OutcomeRow[]> {
  const asked: Promise<Answer>[] = [];
  for (let from = 0; from < predictionIds.length; from += OUTCOMES_AT_ONCE) {
    const ids = predictionIds.slice(from, from + OUTCOMES_AT_ONCE);
    asked.push(
      ask(OUTCOMES_FAILED, signal, (client, limited) =>
        client.from('prediction_outcomes').select(OUTCOME_COLUMNS).in('prediction_id', ids).abortSignal(limited),
      ),
    );
  }
  return (await Promise.all(asked)).flatMap(({ data }) => parsedBy(outcomeRowSchema, data));
}

/** Their ids stand in the address, which has its limits. */
const OUTCOMES_AT_ONCE = 50;
const OUTCOME_COLUMNS = 'prediction_id,market_kind,due_at,state,void_reason,returned_at,candles,score';
const OUTCOMES_FAILED = 'Failed to load outcomes';

interface Answer {
  data: unknown;
  count: number | null;
  error: { message: string; code: string } | null;
}

async function ask(
  fallback: string,
  signal: AbortSignal,
  call: (client: BackendClient, limited: AbortSignal) => PromiseLike<Answer>,
): Promise<Answer> {
  const answer = await inTime(signal, async (limited) => call(await supabase(), limited)).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Error(fallback, { cause });
  });
  if (answer.error !== null) throw new Error(serverWords(answer.error, fallback), { cause: answer.error });
  return answer;
}

/** Rows that cannot be read are left out. */
function parsedBy<T>(schema: z.ZodMiniType<T>, data: unknown): T[] {
  return (data as unknown[]).flatMap((row) => {
    const parsed = schema.safeParse(row);
    return parsed.success ? [parsed.data] : [];
  });
}
