/** The record's figures of a period, kept while another is on its way. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { TrackPeriod, TrackSummary } from '#domain/record/figures/track-summary.ts';
import { fetchSummary } from '../track-record-api.ts';

/** A slot is five minutes; what is new is worth asking for about as often as anything changes. */
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
