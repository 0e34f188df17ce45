/**
 * Decides which candles are a record's outcome, or why it has none. All 50 come from one venue, the one whose candles
 * the forecast used: two venues' prices of one bar differ by more than some forecasts predict. docs/measuring.md
 */
import { HORIZON_BARS } from '../../forecast/window.ts';
import type { Candle } from '../../market/candle.ts';
import { candlesByTime, candlesOf } from '../../market/candle-span.ts';
import { barSecondsOf } from '../../market/timeframes.ts';
import { type RecordBody, timeframeOfRecord } from '../ledger/ledger.ts';
import type { RecordVoidReason } from './record-score.ts';

export interface RecordSeries {
  venueId: string;
  /** Oldest first, of the record's timeframe, strictly rising in time; bars may be missing. */
  candles: readonly Candle[];
}

export interface RecordMarket {
  /** Only of the record's own market kind; one per venue. */
  series: readonly RecordSeries[];
  /** The venue that serves now and from when it still has candles, epoch seconds; null while no venue answers. */
  serving: { venueId: string; fromS: number } | null;
  /** True when the series include everything stored, so that what is in none of them does not exist. */
  isAll: boolean;
  /** True when an unavailable venue may return with the same candles. A sandbox replays different ones. */
  mayReturn: boolean;
  /** Seconds of the market's time since the last of the 50 bars closed. */
  ageS: number;
}

export type RecordVerdict =
  | { state: 'known'; outcome: readonly Candle[] }
  | { state: 'void'; reason: RecordVoidReason }
  | { state: 'later' };

export interface RecordPatience {
  /** For a gap in a series that continues after it, seconds. */
  repairS: number;
  /** For an unavailable venue, seconds. */
  returnS: number;
}

/** What places a record's bars in time. */
export type RecordPlace = Pick<RecordBody, 'slot' | 'tf'>;

/** Seconds of one of its candles. */
export function recordBarS(record: Pick<RecordBody, 'tf'>): number {
  return barSecondsOf(timeframeOfRecord(record));
}

/** Opening seconds of a record's 50 bars. */
export function recordTimes(record: RecordPlace): number[] {
  return Array.from({ length: HORIZON_BARS }, (_, i) => record.slot + i * recordBarS(record));
}

/** Epoch seconds of the market's time at which the last of its 50 bars has closed. */
export function recordEndS(record: RecordPlace): number {
  return record.slot + HORIZON_BARS * recordBarS(record);
}

/** The part of a record that identifies the source of its outcome's candles. */
export interface JudgedForecast extends Pick<RecordBody, 'slot' | 'tf' | 'close'> {
  /** Venue of the model's candles, from the forecast's document; null without the document. */
  venueId: string | null;
}

/** Pure: the same candles give the same verdict, in any order of the series. */
export function judgeRecord(record: JudgedForecast, market: RecordMarket, patience: RecordPatience): RecordVerdict {
  if (market.ageS < 0) return { state: 'later' };
  const [times, barS] = [recordTimes(record), recordBarS(record)];
  const own = market.series.filter(
    ({ venueId, candles }) => (record.venueId ?? venueId) === venueId && closesAt(candles, record),
  );
  const outcomes = own.flatMap((series) => {
    const outcome = candlesOf(series.candles, times, barS);
    return outcome === null ? [] : [{ venueId: series.venueId, outcome }];
  });
  // When the venue is unknown, two may have closed at the same price: take the serving one, else the first by name.
  const [chosen] = outcomes.toSorted((a, b) => rank(a, market) - rank(b, market) || (a.venueId < b.venueId ? -1 : 1));
  if (chosen !== undefined) return { state: 'known', outcome: chosen.outcome };
  // An incomplete search cannot show that there is nothing.
  if (!market.isAll) return { state: 'later' };
  const { reason, waitS } = whyNone({ times, barS }, own, market, patience);
  return market.ageS >= waitS ? { state: 'void', reason } : { state: 'later' };
}

function rank({ venueId }: { venueId: string }, { serving }: RecordMarket): number {
  return venueId === serving?.venueId ? 0 : 1;
}

function closesAt(candles: readonly Candle[], record: JudgedForecast): boolean {
  const barS = recordBarS(record);
  const joinS = record.slot - barS;
  return candlesByTime(candles, joinS, joinS, barS).get(joinS)?.close === Number(record.close);
}

function whyNone(
  { times, barS }: { times: readonly number[]; barS: number },
  own: readonly RecordSeries[],
  { series, serving, mayReturn }: RecordMarket,
  { repairS, returnS }: RecordPatience,
): { reason: RecordVoidReason; waitS: number } {
  const awayS = mayReturn ? returnS : 0;
  const [firstS = 0, lastS = 0] = [times[0], times.at(-1)];
  const known = new Set(series.flatMap(({ candles }) => [...candlesByTime(candles, firstS, lastS, barS).keys()]));
  const missing = times.filter((timeS) => !known.has(timeS));
  if (missing.length === 0) return { reason: 'venue-changed', waitS: awayS };
  // No venue answers, so the missing candles may still arrive.
  if (serving === null) return { reason: 'candles-gone', waitS: returnS };
  if (missing.every((timeS) => timeS < serving.fromS)) return { reason: 'candles-gone', waitS: awayS };
  // A series that ends too early has fallen behind: its venue is unavailable, which is not a gap.
  const ownServing = own.find(({ venueId }) => venueId === serving.venueId);
  const hasPassed = (ownServing?.candles.at(-1)?.time ?? 0) >= lastS;
  return { reason: 'candles-missing', waitS: hasPassed ? repairS : returnS };
}
