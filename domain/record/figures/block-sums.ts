/**
 * Sums behind the figures of the public record: whole numbers over the records of one symbol, timeframe, model, version and role
 * whose slots are in the same six hours. Whole numbers give the same sum in any order.
 */

import type { RecordBody } from '../ledger/ledger.ts';
import { LN_UNITS, SIGMA_UNITS, slotSecondsOf, timeframeOfRecord } from '../ledger/ledger.ts';
import { isUnchanged } from '../scoring/copy-detector.ts';
import { RECORD_VOID_REASONS, type RecordScore, type RecordVoidReason } from '../scoring/record-score.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';

const BARS = SCORED_BARS.length;
export const PIT_BINS = 10;
const PIT_UNITS = 10_000;

/** How many numbers each quantity takes, in this order: one, or one per scored bar, bin or reason. */
const WIDTHS = {
  issued: 1,
  known: 1,
  void: RECORD_VOID_REASONS.length,
  /** SIGMA_UNITS of ln. */
  crpsShown: BARS,
  crpsModel: BARS,
  crpsEwma: BARS,
  crpsHar: BARS,
  /** Absolute errors, LN_UNITS. */
  pathError: BARS,
  lastError: BARS,
  shown80: BARS,
  shown95: BARS,
  model80: BARS,
  model95: BARS,
  copies: BARS,
  pit: PIT_BINS,
  /** |ln(forecast / real)|, LN_UNITS, and their count, since a market that did not move has none. */
  rvCount: 1,
  rvModel: 1,
  rvEwma: 1,
  rangeCount: 1,
  rangeModel: 1,
  rangeEwma: 1,
  /** Factors on the widths of the bands as shown, FACTOR_UNITS, over all scored bars of every issued record. */
  factor80: 1,
  factor95: 1,
  /** Real closes that repeat the last close; absolute changes of the path's closes, LN_UNITS: see copy-detector.ts. */
  unchanged: BARS,
  pathMove: BARS,
} as const;
export type Quantity = keyof typeof WIDTHS;

const QUANTITIES = Object.keys(WIDTHS) as Quantity[];
/** Offset of each quantity. */
export const AT = Object.fromEntries(
  QUANTITIES.map((name, i) => [name, QUANTITIES.slice(0, i).reduce((sum, before) => sum + WIDTHS[before], 0)]),
) as Record<Quantity, number>;
export const SUMS_WIDTH = QUANTITIES.reduce((sum, name) => sum + WIDTHS[name], 0);

export type JudgedScore = RecordScore | { void: RecordVoidReason } | null;

/** Adds one record and its score; null while the outcome is unknown. */
export function addRecord(sums: Float64Array, body: RecordBody, score: JudgedScore): void {
  const add = (at: number, value: number): void => {
    sums[at] = (sums[at] ?? 0) + value;
  };
  add(AT.issued, 1);
  for (const [i, factors] of body.bands.entries()) for (const factor of factors) add(AT.factor80 + i, factor);
  if (score === null) return;
  if ('void' in score) {
    add(AT.void + RECORD_VOID_REASONS.indexOf(score.void), 1);
    return;
  }
  add(AT.known, 1);
  for (let bar = 0; bar < BARS; bar++) {
    const actual = score.actual[bar] ?? 0;
    add(AT.crpsShown + bar, score.crps.shown[bar] ?? 0);
    add(AT.crpsModel + bar, score.crps.model[bar] ?? 0);
    add(AT.crpsEwma + bar, score.crps.ewma[bar] ?? 0);
    add(AT.crpsHar + bar, score.crps.har[bar] ?? 0);
    add(AT.pathError + bar, Math.abs(actual - (body.path[bar] ?? 0)));
    add(AT.lastError + bar, Math.abs(actual));
    add(AT.shown80 + bar, Number(score.inside.shown80[bar]));
    add(AT.shown95 + bar, Number(score.inside.shown95[bar]));
    add(AT.model80 + bar, Number(score.inside.model80[bar]));
    add(AT.model95 + bar, Number(score.inside.model95[bar]));
    add(AT.copies + bar, Number(score.isCopy[bar]));
    add(AT.unchanged + bar, Number(isUnchanged(actual)));
    add(AT.pathMove + bar, Math.abs(body.path[bar] ?? 0));
    add(AT.pit + binOf(score.pit[bar] ?? 0, body), 1);
  }
  const walk = (body.ewma / SIGMA_UNITS) * Math.sqrt(SCORED_BARS.at(-1) ?? 0) * LN_UNITS;
  addLogErrors(score.rv, [body.rv, walk], (i, error) => add(AT.rvCount + i, error));
  addLogErrors(score.range, [body.range, RANGE_OF_WALK * walk], (i, error) => add(AT.rangeCount + i, error));
}

/** An unchanged price is on the border of the two middle bins, so it counts in each alternately, by slot. */
function binOf(rank: number, body: RecordBody): number {
  if (rank === PIT_UNITS / 2) return PIT_BINS / 2 - ((body.slot / slotSecondsOf(timeframeOfRecord(body))) % 2);
  return Math.min(PIT_BINS - 1, Math.floor((rank * PIT_BINS) / PIT_UNITS));
}

/** Mean range (highest less lowest) of a Brownian walk, in standard deviations at its end: the root of 8 / pi. */
const RANGE_OF_WALK = Math.sqrt(8 / Math.PI);

/** Passes 1 at index 0, then the error of each forecast; passes nothing when a logarithm is undefined. */
function addLogErrors(real: number, forecasts: readonly number[], add: (i: number, value: number) => void): void {
  if (real <= 0 || forecasts.some((forecast) => forecast <= 0)) return;
  add(0, 1);
  for (const [i, forecast] of forecasts.entries())
    add(i + 1, Math.round(LN_UNITS * Math.abs(Math.log(forecast / real))));
}
