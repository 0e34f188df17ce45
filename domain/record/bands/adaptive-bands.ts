/**
 * How the factors of domain/record/bands/band-correction.ts are learnt from the record: adaptive conformal inference.
 * After each scored record the logarithm of a factor moves by gain x (missed - nominal): up by 0.8 gains when the close
 * fell outside the 80% band, down by 0.2 when inside. Over time the share of misses cannot stay away from nominal,
 * whatever the market does and however late outcomes arrive; the price is a width that fluctuates. Gains and their
 * price: docs/decisions/036-adaptive-bands.md.
 */
import * as z from 'zod/mini';
import { DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';
import { FACTOR_UNITS } from '../ledger/ledger.ts';
import type { RecordScore } from '../scoring/record-score.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';
import { type BandCorrection, NO_CORRECTION } from './band-correction.ts';

/** Limits of a factor: beyond them the model is broken, and widening its bands is no remedy. */
export const LEAST_FACTOR = 0.5;
export const GREATEST_FACTOR = 3;

/** Nominal shares of closes outside each band. */
export const MISSES = { p80: 0.2, p95: 0.05 } as const;

/**
 * By scored bar. At bar 50 a week of records is worth some 400 outcomes, because their 50 minutes overlap, so its gain
 * is the greatest. The 95% band gets half as much, because a week strays from it less. Three times as much would hold
 * every week within 3 points, and cost 0.15 to 0.21% of CRPS at bar 50: decision 036.
 */
const MINUTE_GAINS: BandGains = {
  p80: [0.0013, 0.0017, 0.0023, 0.0028, 0.0033],
  p95: [0.00065, 0.00085, 0.00115, 0.0014, 0.00165],
};
/** Records of longer candles are fewer, so that each has to teach more. */
const LONGER_GAINS: BandGains = {
  p80: [0.004, 0.005, 0.007, 0.0085, 0.01],
  p95: [0.002, 0.0025, 0.0035, 0.00425, 0.005],
};

export function gainsOf(timeframe: Timeframe): BandGains {
  return timeframe === DEFAULT_TIMEFRAME ? MINUTE_GAINS : LONGER_GAINS;
}

export interface BandGains {
  p80: readonly number[];
  p95: readonly number[];
}

const perBar = z.array(z.number()).check(z.length(SCORED_BARS.length));

/** Stored state: natural logarithms of the factors by scored bar, and the number of outcomes learnt from. */
export const bandStateSchema = z.object({ ln80: perBar, ln95: perBar, learnt: z.int(), lastSeq: z.int() });
export type BandState = z.infer<typeof bandStateSchema>;

export const UNLEARNT: BandState = {
  ln80: SCORED_BARS.map(() => 0),
  ln95: SCORED_BARS.map(() => 0),
  learnt: 0,
  lastSeq: 0,
};

/** One record's sequence number and whether the closes were inside the bands as shown; null for a void record. */
export interface Lesson {
  seq: number;
  inside: Pick<RecordScore['inside'], 'shown80' | 'shown95'> | null;
}

/** Ignores a record at or before the last one learnt, so repeating a record has no effect. */
export function learn(state: BandState, { seq, inside }: Lesson, gains: BandGains): BandState {
  if (seq <= state.lastSeq) return state;
  if (inside === null) return { ...state, lastSeq: seq };
  return {
    ln80: moved(state.ln80, inside.shown80, gains.p80, MISSES.p80),
    ln95: moved(state.ln95, inside.shown95, gains.p95, MISSES.p95),
    learnt: state.learnt + 1,
    lastSeq: seq,
  };
}

/** Rounded as in the records, so that what is shown is what is recorded. */
export function correctionFrom(state: BandState): BandCorrection {
  if (state.learnt === 0) return NO_CORRECTION;
  const factors = (lns: readonly number[]): number[] =>
    lns.map((ln) => Math.round(FACTOR_UNITS * Math.exp(ln)) / FACTOR_UNITS);
  return { p80: factors(state.ln80), p95: factors(state.ln95) };
}

function moved(lns: readonly number[], inside: readonly boolean[], gains: readonly number[], misses: number): number[] {
  return lns.map((ln, i) => {
    const next = ln + (gains[i] ?? 0) * ((inside[i] ? 0 : 1) - misses);
    return Math.min(Math.log(GREATEST_FACTOR), Math.max(Math.log(LEAST_FACTOR), next));
  });
}
