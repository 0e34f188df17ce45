/** Questions put to a prepared forecast at one moment, and the answers as they are sent. Pure but for shared paths. */
import { type Chance, type ChanceOptions, chanceOf, momentPaths, type SimilarPast } from '#domain/chances/chance.ts';
import type { ChanceForecast } from '#domain/chances/chance-forecast.ts';
import type {
  ChanceAnswer,
  ChanceMarket,
  LineAnswer,
  LiveChances,
  NoChance,
  PosedChance,
} from '#domain/chances/chance-messages.ts';
import { type ClockWindow, clockWindow, WINDOW_MINUTES, type WindowMinutes } from '#domain/chances/clock-window.ts';
import type { DrawnPaths } from '#domain/chances/draw-paths.ts';
import { lineChances } from '#domain/chances/line-chances.ts';
import type { ChanceQuestion } from '#domain/chances/question.ts';
import { isRefusal, type RefusalReason, type RefusedChance } from '#domain/chances/refusals.ts';
import type { PreparedForecast } from './chance-forecasts.ts';
import type { MarketMoment } from './market-moments.ts';

/** Everything that an answer depends on. */
export interface PosedMoment extends PreparedForecast {
  moment: MarketMoment;
}

/** Counts of scored questions; null before there are any of that kind and tenth. */
export type SimilarOf = (question: ChanceQuestion, chance: number) => SimilarPast | null;

export interface ChanceAnswers {
  answer(posed: PosedChance, at: PosedMoment): ChanceAnswer | LineAnswer | RefusedChance;
  /** The running windows of 5, 15 and 60 minutes. */
  live(at: PosedMoment): LiveChances;
}

export function chanceAnswers(similarOf: SimilarOf): ChanceAnswers {
  const pathsOf = sharedPaths();
  const optionsAt = (at: PosedMoment): ChanceOptions => ({
    paths: () => pathsOf(at.forecast, at.moment.nowMs),
    similar: similarOf,
  });
  return {
    answer(posed, at) {
      if (posed.kind === 'line') return lineAnswer(posed.price, at, optionsAt(at));
      if (posed.kind !== 'window') return priceAnswer(posed, at, optionsAt(at));
      const window = clockWindow(at.moment.candles, posed.minutes, at.moment.nowMs);
      if (isRefusal(window)) return window;
      const found = chanceOf({ kind: 'window', window }, at.forecast, at.moment, optionsAt(at));
      if (isRefusal(found)) return found;
      return {
        ...momentFields(at),
        question: { kind: 'window', ...windowFields(posed.minutes, window) },
        ...chanceFields(found),
      };
    },
    live(at) {
      const windows = WINDOW_MINUTES.map((minutes) => {
        const window = clockWindow(at.moment.candles, minutes, at.moment.nowMs);
        if (isRefusal(window)) return { minutes, ...withoutChance(window) };
        const found = chanceOf({ kind: 'window', window }, at.forecast, at.moment, optionsAt(at));
        if (isRefusal(found)) return { minutes, ...withoutChance(found) };
        return { ...windowFields(minutes, window), ...chanceFields(found) };
      });
      return { ...momentFields(at), windows };
    },
  };
}

/** Takes a chance's place in a frame. */
function withoutChance({ reason, message }: RefusedChance): NoChance {
  return { error: { code: reason, message } };
}

/** What is wrong with the question itself; other refusals pass with time. */
const BAD_QUESTIONS: ReadonlySet<RefusalReason> = new Set([
  'price-invalid',
  'price-too-far',
  'band-order',
  'same-side',
  'bar-outside',
  'window-unknown',
]);

export function refusalStatus({ reason }: RefusedChance): 400 | 409 {
  return BAD_QUESTIONS.has(reason) ? 400 : 409;
}

function priceAnswer(
  question: Exclude<ChanceQuestion, { kind: 'window' }>,
  at: PosedMoment,
  options: ChanceOptions,
): ChanceAnswer | RefusedChance {
  const found = chanceOf(question, at.forecast, at.moment, options);
  if (isRefusal(found)) return found;
  const answer = { ...momentFields(at), question, ...chanceFields(found) };
  if (question.kind !== 'first') return answer;
  const { target, stop, bar } = question;
  const other = chanceOf({ kind: 'first', target: stop, stop: target, bar }, at.forecast, at.moment, options);
  if (isRefusal(other)) return other;
  return {
    ...answer,
    neither: rounded(1 - found.chance - other.chance),
    baselineNeither: rounded(1 - found.baseline - other.baseline),
  };
}

function lineAnswer(price: number, at: PosedMoment, options: ChanceOptions): LineAnswer | RefusedChance {
  const found = lineChances(price, at.forecast, at.moment, options);
  if (isRefusal(found)) return found;
  const column = (chances: readonly (Chance | null)[], name: 'chance' | 'baseline'): (number | null)[] =>
    chances.map((each) => (each === null ? null : rounded(each[name])));
  return {
    ...momentFields(at),
    question: { kind: 'line', price },
    above: column(found.above, 'chance'),
    aboveBaseline: column(found.above, 'baseline'),
    touch: column(found.touch, 'chance'),
    touchBaseline: column(found.touch, 'baseline'),
  };
}

/**
 * One moment's paths, held until another moment or forecast is used. Moments are rounded down to a second, so
 * that all questions within it get the same answer.
 */
function sharedPaths(): (forecast: ChanceForecast, nowMs: number) => DrawnPaths | null {
  let held: { forecast: ChanceForecast; second: number; paths: DrawnPaths } | null = null;
  return (forecast, nowMs) => {
    const second = Math.floor(nowMs / 1000);
    if (held?.forecast === forecast && held.second === second) return held.paths;
    const paths = momentPaths(forecast, { nowMs: second * 1000 }, held?.paths ?? null);
    if (paths !== null) held = { forecast, second, paths };
    return paths;
  };
}

type MomentFields = Omit<
  ChanceAnswer,
  'question' | keyof ReturnType<typeof chanceFields> | 'neither' | 'baselineNeither'
>;

function momentFields({ source, moment }: PosedMoment): MomentFields {
  return {
    ...marketFields(source),
    modelVersion: source.modelVersion,
    marketKind: moment.marketKind,
    t0: source.t0,
    asOf: new Date(moment.nowMs).toISOString(),
    price: moment.price,
  };
}

function marketFields({ symbol, model, timeframe }: PreparedForecast['source']): ChanceMarket {
  return { symbol: symbol.sym, model, timeframe };
}

function windowFields(minutes: WindowMinutes, { openS, endS, open }: ClockWindow) {
  const iso = (epochS: number): string => new Date(epochS * 1000).toISOString();
  return { minutes, openAt: iso(openS), endAt: iso(endS), open };
}

function chanceFields({ chance, baseline, by, similar, missingMinutes }: Chance) {
  return { chance: rounded(chance), baseline: rounded(baseline), by, similar, missingMinutes };
}

/** A millionth is the least that a chance differs from 0 and 1, so six digits keep it off both. */
const DIGITS = 6;
const LEAST = 10 ** -DIGITS;

function rounded(chance: number): number {
  return Math.max(LEAST, Math.min(1 - LEAST, Number(chance.toFixed(DIGITS))));
}
