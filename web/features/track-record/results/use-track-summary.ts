/** The record's figures of a period; the previous ones stay while others load. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { TrackPeriod, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { fetchSummary } from '../track-record-api.ts';

/** A slot is five minutes; polling every minute roughly matches how often anything changes. */
const AGAIN_MS = 60_000;

export function useTrackSummary(period: TrackPeriod): UseQueryResult<TrackSummary> {
  return useQuery({
    queryKey: ['track-record', period],
    queryFn: ({ signal }) => fetchSummary(period, signal),
    placeholderData: keepPreviousData,
    staleTime: AGAIN_MS,
    refetchInterval: AGAIN_MS,
  });
}
