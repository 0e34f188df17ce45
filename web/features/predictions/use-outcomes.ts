/** Outcomes of the shown predictions; refetched when the next one is due. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OutcomeRow } from '#domain/record/scoring/outcome.ts';
import { fetchOutcomes } from './predictions-api.ts';

/** Undefined: not loaded yet, or loading failed. Null: no outcome is stored for this prediction. */
export type ShownOutcome = OutcomeRow | null | undefined;

export interface Outcomes {
  of(predictionId: string): ShownOutcome;
  hasFailed: boolean;
}

/** The server checks every 15 seconds. */
const DUE_MS = 15_000;
/** The browser's clock may be wrong, so outcomes are refetched at least this often. */
const LONGEST_MS = 10 * 60_000;

export function useOutcomes(userId: string, predictionIds: readonly string[]): Outcomes {
  const query = useQuery({
    queryKey: ['outcomes', userId, predictionIds],
    queryFn: ({ signal }) => fetchOutcomes(predictionIds, signal),
    enabled: predictionIds.length > 0,
    // Shown outcomes stay while more load.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => nextPollMs(state.data ?? [], Date.now()),
  });
  const known = new Map(query.data?.map((outcome) => [outcome.prediction_id, outcome]));
  const isWhole = query.isSuccess && !query.isPlaceholderData;
  return {
    of: (id) => known.get(id) ?? (isWhole ? null : undefined),
    hasFailed: query.isError,
  };
}

/** False if no outcome is pending. */
export function nextPollMs(outcomes: readonly OutcomeRow[], nowMs: number): number | false {
  const waits = outcomes.flatMap(({ state, due_at }) => (state === 'waiting' ? [Date.parse(due_at) - nowMs] : []));
  if (waits.length === 0) return false;
  return Math.min(LONGEST_MS, Math.max(DUE_MS, Math.min(...waits) + DUE_MS / 3));
}
