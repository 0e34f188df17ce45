/** What came of the predictions that are shown; asked again when the next one can be known. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OutcomeRow } from '#domain/record/scoring/outcome.ts';
import { fetchOutcomes } from './predictions-api.ts';

/** Undefined: not asked yet, or the asking failed. Null: none is kept of this prediction. */
export type ShownOutcome = OutcomeRow | null | undefined;

export interface Outcomes {
  of(predictionId: string): ShownOutcome;
  hasFailed: boolean;
}

/** The server looks every quarter of a minute. */
const DUE_MS = 15_000;
/** A browser's clock may be wrong: however far the next one seems, it is asked for again. */
const LONGEST_MS = 10 * 60_000;

export function useOutcomes(userId: string, predictionIds: readonly string[]): Outcomes {
  const query = useQuery({
    queryKey: ['outcomes', userId, predictionIds],
    queryFn: ({ signal }) => fetchOutcomes(predictionIds, signal),
    enabled: predictionIds.length > 0,
    // What is shown stays while more is asked for.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => nextAskMs(state.data ?? [], Date.now()),
  });
  const known = new Map(query.data?.map((outcome) => [outcome.prediction_id, outcome]));
  const isWhole = query.isSuccess && !query.isPlaceholderData;
  return {
    of: (id) => known.get(id) ?? (isWhole ? null : undefined),
    hasFailed: query.isError,
  };
}

/** False: nothing waits. */
export function nextAskMs(outcomes: readonly OutcomeRow[], nowMs: number): number | false {
  const waits = outcomes.flatMap(({ state, due_at }) => (state === 'waiting' ? [Date.parse(due_at) - nowMs] : []));
  if (waits.length === 0) return false;
  return Math.min(LONGEST_MS, Math.max(DUE_MS, Math.min(...waits) + DUE_MS / 3));
}
