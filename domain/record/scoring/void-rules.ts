/**
 * Decides which candles are the outcome of a forecast or a chance, or why it has none. All come from one venue, the one
 * whose candles the forecast used: two venues' prices of one bar differ by more than some forecasts predict.
 * lab/measuring.md
 */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { type Candle, MINUTE_S } from '../../market/candle.ts';
import { candlesByTime, candlesOf } from '../../market/candle-span.ts';
import { barSecondsOf } from '../../market/timeframes.ts';
import { windowMinutes } from '../chances/chance-moments.ts';
import type { ChanceBody } from '../ledger/chance-text.ts';
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
  /** Seconds of the market's time since the last of its bars closed. */
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

/** The part of a record that identifies the source of its outcome's candles. */
export interface JudgedForecast extends Pick<RecordBody, 'slot' | 'tf' | 'close'> {
  /** Venue of the model's candles, from the forecast's document; null without the document. */
  venueId: string | null;
}

/** Candles that an outcome consists of, and the candle before it that identifies their source. */
interface JudgedSpan extends Pick<JudgedForecast, 'close' | 'venueId'> {
  /** Opening seconds, rising. */
  times: readonly number[];
  barS: number;
  /** Opening second of the candle that closed at `close`. */
  joinS: number;
}

/** Pure: the same candles give the same verdict, in any order of the series. */
export function judgeRecord(record: JudgedForecast, market: RecordMarket, patience: RecordPatience): RecordVerdict {
  const [times, barS] = [recordTimes(record), recordBarS(record)];
  const { close, venueId, slot } = record;
  return judgeSpan({ times, barS, joinS: slot - barS, close, venueId }, market, patience);
}

/** The candles of the whole window, or why it has no outcome. A market without a trade since the moment was halted. */
export function judgeChance(
  { slot, window, close, venue }: ChanceBody,
  market: RecordMarket,
  patience: RecordPatience,
): RecordVerdict {
  const times = windowMinutes(slot, window);
  const span = { times, barS: MINUTE_S, joinS: slot - MINUTE_S, close, venueId: venue };
  const verdict = judgeSpan(span, market, patience);
  if (verdict.state !== 'known') return verdict;
  const left = verdict.outcome.filter(({ time }) => time >= slot);
  return left.every(({ volume }) => volume === 0) ? { state: 'void', reason: 'market-closed' } : verdict;
}

function judgeSpan(span: JudgedSpan, market: RecordMarket, patience: RecordPatience): RecordVerdict {
  if (market.ageS < 0) return { state: 'later' };
  const { times, barS } = span;
  const own = market.series.filter(
    ({ venueId, candles }) => (span.venueId ?? venueId) === venueId && closesAt(candles, span),
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

function closesAt(candles: readonly Candle[], { joinS, barS, close }: JudgedSpan): boolean {
  return candlesByTime(candles, joinS, joinS, barS).get(joinS)?.close === Number(close);
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
