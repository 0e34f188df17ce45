/** Requests of the record's page: public files that anyone may fetch. */
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import {
  type ListedRecord,
  recordListSchema,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

/** @throws Error if the server does not answer in time, refuses, or the answer is invalid */
export async function fetchSummary(period: TrackPeriod, signal: AbortSignal): Promise<TrackSummary> {
  const answer = await fetchJson(`/record/summary.json?period=${period}`, signal);
  return trackSummarySchema.parse(answer);
}

export interface RecordsQuestion {
  market: MarketKind;
  /** Null for all of them. */
  sym: string | null;
  model: ModelName | null;
  /** True for unrevealed records only, false for the others. */
  isSealed: boolean;
  /** Only records before this one; null for the newest. */
  before: number | null;
}

export const RECORDS_A_PAGE = 24;

/** @returns newest first, at most RECORDS_A_PAGE. @throws Error as fetchSummary */
export async function fetchRecords(question: RecordsQuestion, signal: AbortSignal): Promise<ListedRecord[]> {
  const { isSealed, ...filter } = question;
  const query = new URLSearchParams({ limit: String(RECORDS_A_PAGE), sealed: isSealed ? 'only' : 'none' });
  for (const [name, value] of Object.entries(filter)) if (value !== null) query.set(name, String(value));
  return recordListSchema.parse(await fetchJson(`/record/records.json?${query}`, signal));
}

function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  return inTime(signal, async (limited) => {
    const response = await retryingFetch(address, { headers: { accept: 'application/json' }, signal: limited });
    if (!response.ok) throw new Error(`The record could not be loaded (${response.status}).`);
    return response.json();
  });
}
