/** What the page of the record asks of the server: public files, the same that anyone may fetch. */
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

/** @throws Error when the server does not answer in time, refuses, or answers something else */
export async function fetchSummary(period: TrackPeriod, signal: AbortSignal): Promise<TrackSummary> {
  const answer = await fetchJson(`/record/summary.json?period=${period}`, signal);
  return trackSummarySchema.parse(answer);
}

export interface RecordsQuestion {
  market: MarketKind;
  /** Null: of all of them. */
  sym: string | null;
  model: ModelName | null;
  /** True: those that are not revealed yet alone; false: the others. */
  isSealed: boolean;
  /** Records before this one; null: the newest. */
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
