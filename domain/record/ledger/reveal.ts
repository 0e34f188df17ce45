/**
 * When a record's text becomes public. Its hash, key and time are published immediately, its text when bar 50, or a
 * chance's window, has closed. This proves what was forecast without giving away paid forecasts.
 * docs/decisions/054-commit-then-reveal.md
 */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { MINUTE_S } from '../../market/candle.ts';
import { barSecondsOf, type Timeframe } from '../../market/timeframes.ts';
import { type RecordedWindow, windowEndS } from '../chances/chance-moments.ts';
import { type RecordBody, timeframeOfRecord } from './ledger.ts';

/** What places a record in time. */
export interface RevealPlace extends Pick<RecordBody, 'slot' | 'tf'> {
  /** Minutes of a chance's window; absent for a forecast. */
  window?: RecordedWindow | undefined;
}

/** Bar 1 opens with the slot, so that bar 50 closes this long after the slot begins (R-RECORD-2). */
export function revealAfterS(timeframe: Timeframe): number {
  return HORIZON_BARS * barSecondsOf(timeframe);
}

/** A record may be dated some seconds before its slot, so that by our clock it is revealed a minute later. */
const ISSUE_MARGIN_MS = MINUTE_S * 1000;

export interface RevealMoment {
  /** Our clock. */
  nowMs: number;
  /** The market's own clock; null for a kind of market that doesn't run here. */
  marketNowMs: number | null;
}

/** Bounds for one kind of market: a record whose bar 50 or window has closed by either is revealed. */
export interface RevealBounds {
  /** Epoch seconds of the market's time, for the end of its bars counted from its slot. */
  endS: number;
  /** Epoch milliseconds by our clock, for the end of its bars or its window counted from its time of issue. */
  issuedEndMs: number;
}

export function revealBounds({ nowMs, marketNowMs }: RevealMoment): RevealBounds {
  return {
    endS: marketNowMs === null ? 0 : Math.floor(marketNowMs / 1000),
    issuedEndMs: nowMs - ISSUE_MARGIN_MS,
  };
}

export function isRevealed(record: RevealPlace & Pick<RecordBody, 'issued'>, bounds: RevealBounds): boolean {
  const endS = revealTimeS(record);
  return endS <= bounds.endS || record.issued + (endS - record.slot) * 1000 <= bounds.issuedEndMs;
}

/** Epoch seconds of the market's time. */
export function revealTimeS(record: RevealPlace): number {
  return record.window === undefined
    ? record.slot + revealAfterS(timeframeOfRecord(record))
    : windowEndS(record.slot, record.window);
}
