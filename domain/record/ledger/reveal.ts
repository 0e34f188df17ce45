/**
 * When a record's text becomes public. Its hash, key and time are published immediately, its text when bar 50 has
 * closed. This proves what was forecast without giving away paid forecasts. docs/decisions/054-commit-then-reveal.md
 */
import { HORIZON_BARS } from '../../forecast/window.ts';
import { MINUTE_S } from '../../market/candle.ts';
import type { RecordBody } from './ledger.ts';

/** Bar 1 is the slot's own minute, so that bar 50 closes this long after the slot begins (R-RECORD-2). */
export const REVEAL_AFTER_S = HORIZON_BARS * MINUTE_S;
/**
 * By our clock, counted from the time of issue: for a market that no longer runs here, so its clock cannot be read. A
 * minute longer than the bars, because a record may be dated some seconds before its slot.
 */
const REVEAL_AFTER_ISSUE_MS = (REVEAL_AFTER_S + MINUTE_S) * 1000;

export interface RevealMoment {
  /** Our clock. */
  nowMs: number;
  /** The market's own clock; null for a kind of market that doesn't run here. */
  marketNowMs: number | null;
}

/** Bounds for one kind of market: a record up to either bound is revealed. */
export interface RevealBounds {
  /** Epoch seconds of the market's time. */
  slotS: number;
  /** Epoch milliseconds by our clock. */
  issuedMs: number;
}

export function revealBounds({ nowMs, marketNowMs }: RevealMoment): RevealBounds {
  return {
    slotS: marketNowMs === null ? 0 : Math.floor(marketNowMs / 1000) - REVEAL_AFTER_S,
    issuedMs: nowMs - REVEAL_AFTER_ISSUE_MS,
  };
}

export function isRevealed({ slot, issued }: Pick<RecordBody, 'slot' | 'issued'>, bounds: RevealBounds): boolean {
  return slot <= bounds.slotS || issued <= bounds.issuedMs;
}

/** Epoch seconds of the market's time. */
export function revealTimeS({ slot }: Pick<RecordBody, 'slot'>): number {
  return slot + REVEAL_AFTER_S;
}
