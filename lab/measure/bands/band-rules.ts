/** The rule that corrects bands and others that were tried: each sees an outcome as late as the record does. */
import type { Timeframe } from '../../../domain/market/timeframes.ts';
import {
  type BandGains,
  GREATEST_FACTOR,
  gainsOf,
  LEAST_FACTOR,
  learn,
  MISSES,
  UNLEARNT,
} from '../../../domain/record/bands/adaptive-bands.ts';
import type { BandCorrection } from '../../../domain/record/bands/band-correction.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';

/** Slots after which an outcome is used. At one minute the 50 bars end ten slots later, and the next slot has learnt of them. */
const DELAY_SLOTS: Readonly<Record<Timeframe, number>> = { '1min': 11, '5min': 17, '15min': 13 };

export const RULE_NAMES = ['conformal', 'forgetting', 'shared', 'smooth'] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** |close| over the model's half width of the band, by scored bar. */
export interface Ratios {
  p80: readonly Float64Array[];
  p95: readonly Float64Array[];
}

/** @param scale  multiplies all gains; 0 leaves the model unchanged */
export function replayRule(
  name: RuleName,
  scale: number,
  ratios: Ratios,
  timeframe: Timeframe = '1min',
): BandCorrection[] {
  const count = ratios.p80[0]?.length ?? 0;
  const next = stepOf(name, scale, gainsOf(timeframe));
  const shown: BandCorrection[] = [];
  let factors: BandCorrection = { p80: SCORED_BARS.map(() => 1), p95: SCORED_BARS.map(() => 1) };
  for (let at = 0; at < count; at++) {
    const due = at - DELAY_SLOTS[timeframe];
    const then = shown[due];
    if (then !== undefined) {
      const row = (of: readonly Float64Array[]): number[] => of.map((bar) => bar[due] ?? 0);
      factors = next({ p80: row(ratios.p80), p95: row(ratios.p95) }, then);
    }
    shown.push(factors);
  }
  return shown;
}

type Step = (ratio: { p80: number[]; p95: number[] }, then: BandCorrection) => BandCorrection;

/** Share of the logarithm that decays with each record: half of it in two and a half days. */
const FORGOTTEN = 0.001;
/** Weight of a bar's own misses in what it learns; the rest is the mean of all bars. */
const OWN_SHARE = 0.5;
/** In logarithms of the ratio: a miss counts more the farther out it is. */
const SOFTNESS = 0.1;

function stepOf(name: RuleName, scale: number, gains: BandGains): Step {
  if (name === 'conformal') return conformal(scale, gains);
  const lns = { p80: SCORED_BARS.map(() => 0), p95: SCORED_BARS.map(() => 0) };
  const move = (level: 'p80' | 'p95', ratio: readonly number[], then: readonly number[]): number[] => {
    const errors = ratio.map((r, i) => missOf(name, r, then[i] ?? 1) - MISSES[level]);
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    lns[level] = lns[level].map((ln, i) => {
      const own = errors[i] ?? 0;
      const error = name === 'shared' ? OWN_SHARE * own + (1 - OWN_SHARE) * mean : own;
      return bounded((name === 'forgetting' ? 1 - FORGOTTEN : 1) * ln + scale * (gains[level][i] ?? 0) * error);
    });
    return lns[level].map(Math.exp);
  };
  return (ratio, then) => ({ p80: move('p80', ratio.p80, then.p80), p95: move('p95', ratio.p95, then.p95) });
}

function missOf(name: RuleName, ratio: number, factor: number): number {
  if (name !== 'smooth') return ratio > factor ? 1 : 0;
  return 1 / (1 + Math.exp(-Math.log(Math.max(1e-6, ratio) / factor) / SOFTNESS));
}

/** The product's own code. */
function conformal(scale: number, { p80, p95 }: BandGains): Step {
  const scaled = (ofBars: readonly number[]): number[] => ofBars.map((gain) => scale * gain);
  const gains = { p80: scaled(p80), p95: scaled(p95) };
  let state = UNLEARNT;
  return (ratio, then) => {
    const inside = (of: number[], factors: readonly number[]): boolean[] => of.map((r, i) => r <= (factors[i] ?? 1));
    const flags = { shown80: inside(ratio.p80, then.p80), shown95: inside(ratio.p95, then.p95) };
    state = learn(state, { seq: state.lastSeq + 1, inside: flags }, gains);
    return { p80: state.ln80.map(Math.exp), p95: state.ln95.map(Math.exp) };
  };
}

function bounded(ln: number): number {
  return Math.min(Math.log(GREATEST_FACTOR), Math.max(Math.log(LEAST_FACTOR), ln));
}
