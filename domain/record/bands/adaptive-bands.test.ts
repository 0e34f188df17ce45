import { expect, test } from 'vitest';
import { SCORED_BARS } from '../scoring/scoring.ts';
import {
  type BandState,
  correctionFrom,
  gainsOf,
  type Lesson,
  learn as learnBy,
  MISSES,
  UNLEARNT,
} from './adaptive-bands.ts';
import { NO_CORRECTION } from './band-correction.ts';

/** Scored with the record 55 minutes after its slot: eleven slots later, at each bar. */
const DELAY = 11;
const WEEK = 2016;

const GAINS = gainsOf('1min');
const learn = (state: BandState, one: Lesson): BandState => learnBy(state, one, GAINS);

const all = (flag: boolean): boolean[] => SCORED_BARS.map(() => flag);
const lesson = (seq: number, is80: boolean, is95 = true): Lesson => ({
  seq,
  inside: { shown80: all(is80), shown95: all(is95) },
});

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

/**
 * Replays what the house does: bands are drawn with what was learnt until then, and judged eleven slots later.
 * @param ratios  |close| over the half width of the model's 80% band, of each record
 * @returns whether each fell into the 80% band as shown
 */
function replay(ratios: readonly number[], bar: number): { inside: boolean[]; state: BandState } {
  let state = UNLEARNT;
  const inside: boolean[] = [];
  for (const [at, ratio] of ratios.entries()) {
    const due = inside[at - DELAY];
    if (due !== undefined) state = learn(state, lesson(at - DELAY + 1, due));
    inside.push(ratio <= (correctionFrom(state).p80[bar] ?? 1));
  }
  return { inside, state };
}

const covered = (inside: readonly boolean[]): number => inside.filter(Boolean).length / inside.length;

test('changes nothing before it has learnt', () => {
  expect(correctionFrom(UNLEARNT)).toBe(NO_CORRECTION);
});

test('widens after a miss, narrows by a quarter of that after a hit, each level alone', () => {
  const missed = learn(UNLEARNT, lesson(1, false, true));
  const hit = learn(UNLEARNT, lesson(1, true, false));

  expect(missed.ln80[4]).toBeCloseTo(0.8 * 0.0033, 12);
  expect(hit.ln80[4]).toBeCloseTo(-0.2 * 0.0033, 12);
  expect(missed.ln95[4]).toBeCloseTo(-0.05 * 0.00165, 12);
  expect(hit.ln95[4]).toBeCloseTo(0.95 * 0.00165, 12);
});

test('learns a record once and in order, and only passes a void one', () => {
  const learnt = learn(UNLEARNT, lesson(7, false));

  expect(learn(learnt, lesson(7, false))).toBe(learnt);
  expect(learn(learnt, lesson(3, true))).toBe(learnt);
  expect(learn(learnt, { seq: 9, inside: null })).toEqual({ ...learnt, lastSeq: 9 });
});

test('never narrows a band after more misses', () => {
  const next = random(5);
  const flags = Array.from({ length: 300 }, () => next() < 0.8);
  const fewer = flags.map((flag) => flag && next() < 0.9);
  const end = (inside: readonly boolean[]): BandState =>
    inside.reduce((state, flag, i) => learn(state, lesson(i + 1, flag)), UNLEARNT);

  expect(end(fewer).ln80.every((ln, i) => ln >= (end(flags).ln80[i] ?? 0))).toBe(true);
});

test('keeps factors within their bounds, and brings them back from there', () => {
  let state = UNLEARNT;
  for (let seq = 1; seq <= 5000; seq++) state = learn(state, lesson(seq, false, false));
  expect(correctionFrom(state)).toEqual({ p80: all(true).map(() => 3), p95: all(true).map(() => 3) });

  for (let seq = 5001; seq <= 15_000; seq++) state = learn(state, lesson(seq, true, true));
  expect(correctionFrom(state).p80).toEqual([0.5, 0.5, 0.5, 0.5, 0.5]);
});

test.each([
  ['noise', (_: number, next: () => number) => 0.6 + 1.8 * next()],
  ['one side for a thousand records, then the other', (i: number) => (Math.floor(i / 1000) % 2 === 0 ? 0.7 : 2.2)],
  ['a slow wave', (i: number) => 1.4 + 0.7 * Math.sin(i / 300)],
  ['whatever the last band was, just outside it half of the time', (i: number) => (i % 2 === 0 ? 0.65 : 2.3)],
])('brings misses of any outcomes (%s) to nominal within the factors’ room over gain times records', (_, ratioAt) => {
  for (const [bar] of SCORED_BARS.entries()) {
    const next = random(bar + 1);
    const count = 40_000;
    const { inside } = replay(
      Array.from({ length: count }, (_, i) => ratioAt(i, next)),
      bar,
    );
    const gain = GAINS.p80[bar] ?? 1;
    // Room of the logarithm while ratios stay within 0.6 and 2.4, a step and the delayed records beyond it.
    const room = Math.log(2.4 / 0.6) + (DELAY + 1) * gain;
    expect(Math.abs(1 - covered(inside) - MISSES.p80)).toBeLessThanOrEqual(
      room / (gain * (count - DELAY)) + DELAY / count,
    );
  }
});

test('holds a market that suddenly moves half as much again to four points in every week from the fourth day on', () => {
  const next = random(11);
  const normal = (): number => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  const scales = Array.from({ length: 6 * WEEK }, (_, i) => [1, 1.5, 0.8][Math.floor(i / (2 * WEEK))] ?? 1);
  const ratios = scales.map((scale) => Math.abs(scale * normal()) / 1.2816);
  const { inside } = replay(ratios, 4);

  for (const change of [0, 2 * WEEK, 4 * WEEK]) {
    const from = change + 864;
    expect(Math.abs(covered(inside.slice(from, from + WEEK)) - 0.8)).toBeLessThan(0.04);
  }
  const uncorrected = ratios.slice(2 * WEEK, 4 * WEEK).map((ratio) => ratio <= 1);
  expect(covered(uncorrected)).toBeLessThan(0.65);
});
