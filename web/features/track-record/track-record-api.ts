import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import {
  type ListedRecord,
  recordListSchema,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';

const FAILED = { code: 'record', message: 'We couldn’t load the record.' };

/** @throws CallError if the server does not answer in time, refuses, or the answer is invalid */
export function fetchSummary(period: TrackPeriod, signal: AbortSignal): Promise<TrackSummary> {
  const read = (body: unknown) => trackSummarySchema.parse(body);
  return fetchJson(`/record/summary.json?period=${period}`, { signal, failure: FAILED, read });
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

/** @returns newest first, at most RECORDS_A_PAGE. @throws CallError as fetchSummary */
export function fetchRecords(question: RecordsQuestion, signal: AbortSignal): Promise<ListedRecord[]> {
  const { isSealed, ...filter } = question;
  const query = new URLSearchParams({ limit: String(RECORDS_A_PAGE), sealed: isSealed ? 'only' : 'none' });
  for (const [name, value] of Object.entries(filter)) if (value !== null) query.set(name, String(value));
  const read = (body: unknown) => recordListSchema.parse(body);
  return fetchJson(`/record/records.json?${query}`, { signal, failure: FAILED, read });
}
