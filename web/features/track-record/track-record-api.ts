/** What the page of the record asks of the server: public files, the same that anyone may fetch. */
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import {
  type RecordCard,
  recordCardSchema,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/track-summary.ts';
import { inTime } from '../../platform/time-limit.ts';

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
  /** Records before this one; null: the newest. */
  before: number | null;
}

export const RECORDS_A_PAGE = 24;

/** @returns newest first, at most RECORDS_A_PAGE. @throws Error as fetchSummary */
export async function fetchRecords(question: RecordsQuestion, signal: AbortSignal): Promise<RecordCard[]> {
  const asked = new URLSearchParams({ limit: String(RECORDS_A_PAGE) });
  for (const [name, value] of Object.entries(question)) if (value !== null) asked.set(name, String(value));
  return z.array(recordCardSchema).parse(await fetchJson(`/record/records.json?${asked}`, signal));
}

function fetchJson(address: string, signal: AbortSignal): Promise<unknown> {
  return inTime(signal, async (limited) => {
    const response = await fetch(address, { headers: { accept: 'application/json' }, signal: limited });
    if (!response.ok) throw new Error(`The record could not be loaded (${response.status}).`);
    return response.json();
  });
}
