/** The questions of a moment, and their outcomes. */
import { type ClockWindow, clockWindow } from '../../../domain/chances/clock-window.ts';
import type { ChanceQuestion } from '../../../domain/chances/question.ts';
import { isRefusal } from '../../../domain/chances/refusals.ts';
import { type Candle, MINUTE_S } from '../../../domain/market/candle.ts';
import { lookbackOf, targetOf, type Window } from '../windows/windows.ts';
import { posedAt } from './posed-windows.ts';

export type MeasuredKind = 'window' | 'above' | 'touch' | 'first';

export interface PosedQuestion {
  kind: MeasuredKind;
  question: ChanceQuestion;
  windowMin: number | null;
  elapsedMin: number | null;
  /** Bars from now to the decision. */
  bar: number;
  threshold: number;
  threshold2: number | null;
  /** Null where candles do not say: both prices were reached within one of them. */
  happened: boolean | null;
}

const BARS = [5, 15, 50] as const;
const STEP = 0.001;
const STEPS = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5] as const;
/** Target and stop, in steps from the last close. */
const PAIRS = [
  [1, -1],
  [-1, 1],
  [2, -1],
  [-2, 1],
  [1, -2],
  [-1, 2],
  [2, -2],
  [-2, 2],
] as const;
const FIRST_BARS = [15, 50] as const;

/** In a fixed order: clock windows, then above, touch and first by bar and price. */
export function posedQuestions(window: Window, strideMinutes: number): PosedQuestion[] {
  const { isAnchor, windows } = posedAt(window.t0, strideMinutes);
  const lastClose = window.features.lastClose;
  const ahead = targetOf(window.file, window.index);
  const priceAt = (step: number): number => lastClose * (1 + step * STEP);
  const clock = windows.map(({ windowMin, elapsedMin }): PosedQuestion => {
    const running = runningWindow(window, windowMin, elapsedMin);
    const bar = windowMin - elapsedMin;
    return {
      kind: 'window',
      windowMin,
      elapsedMin,
      bar,
      threshold: running.open,
      threshold2: null,
      question: { kind: 'window', window: running },
      happened: (ahead[bar - 1]?.close ?? Number.NaN) > running.open,
    };
  });
  if (!isAnchor) return clock;
  const plain = { windowMin: null, elapsedMin: null, threshold2: null };
  const priced = BARS.flatMap((bar) =>
    STEPS.flatMap((step): PosedQuestion[] => {
      const price = priceAt(step);
      const above: PosedQuestion = {
        ...plain,
        kind: 'above',
        bar,
        threshold: price,
        question: { kind: 'above', price, bar },
        happened: (ahead[bar - 1]?.close ?? Number.NaN) > price,
      };
      if (step === 0) return [above];
      const isReached = step > 0 ? reachedUp(price) : reachedDown(price);
      const touch: PosedQuestion = {
        ...plain,
        kind: 'touch',
        bar,
        threshold: price,
        question: { kind: 'touch', price, bar },
        happened: ahead.slice(0, bar).some(isReached),
      };
      return [above, touch];
    }),
  );
  const first = FIRST_BARS.flatMap((bar) =>
    PAIRS.map(([to, from]): PosedQuestion => {
      const [target, stop] = [priceAt(to), priceAt(from)];
      return {
        ...plain,
        kind: 'first',
        bar,
        threshold: target,
        threshold2: stop,
        question: { kind: 'first', target, stop, bar },
        happened: isFirst(ahead.slice(0, bar), target, stop),
      };
    }),
  );
  return [...clock, ...priced, ...first];
}

function runningWindow({ file, index, t0 }: Window, windowMin: 5 | 15, elapsedMin: number): ClockWindow {
  const found = clockWindow(lookbackOf(file, index).slice(-elapsedMin), windowMin, (t0 + MINUTE_S) * 1000);
  if (isRefusal(found)) throw new Error(`a window of ${windowMin} minutes at ${t0}: ${found.message}`);
  return found;
}

function reachedUp(price: number): (candle: Candle) => boolean {
  return ({ high }) => high >= price;
}

function reachedDown(price: number): (candle: Candle) => boolean {
  return ({ low }) => low <= price;
}

function isFirst(candles: readonly Candle[], target: number, stop: number): boolean | null {
  const [hits, misses] =
    target > stop ? [reachedUp(target), reachedDown(stop)] : [reachedDown(target), reachedUp(stop)];
  for (const candle of candles) {
    if (hits(candle) && misses(candle)) return null;
    if (hits(candle) || misses(candle)) return hits(candle);
  }
  return false;
}
