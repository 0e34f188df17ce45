/** What the page of the record asks of the server: public files, the same that anyone may fetch. */
import { type TrackPeriod, type TrackSummary, trackSummarySchema } from '#domain/record/track-summary.ts';
import { inTime } from '../../platform/time-limit.ts';

/** @throws Error when the server does not answer in time, refuses, or answers something else */
export function fetchSummary(period: TrackPeriod, signal: AbortSignal): Promise<TrackSummary> {
  return inTime(signal, async (limited) => {
    const response = await fetch(`/record/summary.json?period=${period}`, {
      headers: { accept: 'application/json' },
      signal: limited,
    });
    if (!response.ok) throw new Error(`The record's figures could not be loaded (${response.status}).`);
    return trackSummarySchema.parse(await response.json());
  });
}
