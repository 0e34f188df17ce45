import type { ModelName } from '#domain/forecast/models.ts';
import type { MarketKind } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import type { RecordedWindow } from '#domain/record/chances/chance-moments.ts';
import { type ChanceSummary, chanceSummarySchema } from '#domain/record/chances/chance-summary.ts';
import {
  type ListedRecord,
  recordListSchema,
  type TrackPeriod,
  type TrackSummary,
  trackSummarySchema,
} from '#domain/record/figures/track-summary.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';
import { routeUrl } from '../../platform/calls/route-url.ts';

const FAILED = { code: 'record', message: 'We couldn’t load the record.' };

/** @throws CallError if the server does not answer in time, refuses, or the answer is invalid */
export function fetchSummary(timeframe: Timeframe, period: TrackPeriod, signal: AbortSignal): Promise<TrackSummary> {
  const read = (body: unknown) => trackSummarySchema.parse(body);
  return fetchJson(routeUrl('/record/summary.json', { period, ...tfParameter(timeframe) }), {
    signal,
    failure: FAILED,
    read,
  });
}

/** @throws CallError as fetchSummary */
export function fetchChances(window: RecordedWindow, period: TrackPeriod, signal: AbortSignal): Promise<ChanceSummary> {
  const read = (body: unknown) => chanceSummarySchema.parse(body);
  const failure = { code: 'record', message: 'We couldn’t load the record of chances.' };
  return fetchJson(routeUrl('/record/chances.json', { period, window: String(window) }), { signal, failure, read });
}

export interface RecordsQuestion {
  market: MarketKind;
  timeframe: Timeframe;
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
  const { isSealed, timeframe, market, sym, model, before } = question;
  const url = routeUrl('/record/records.json', {
    limit: RECORDS_A_PAGE,
    sealed: isSealed ? 'only' : 'none',
    market,
    ...tfParameter(timeframe),
    ...(sym !== null && { sym }),
    ...(model !== null && { model }),
    ...(before !== null && { before }),
  });
  const read = (body: unknown) => recordListSchema.parse(body);
  return fetchJson(url, { signal, failure: FAILED, read });
}

/** Absent: one minute. */
function tfParameter(timeframe: Timeframe): { tf?: Timeframe } {
  return timeframe === DEFAULT_TIMEFRAME ? {} : { tf: timeframe };
}
