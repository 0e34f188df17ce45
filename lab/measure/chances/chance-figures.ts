/** Brier and log scores against the rivals, reliability by tenth, and the time of a question. */
import { BlockSums } from '../block-bootstrap.ts';
import { type AnsweredQuestion, RIVALS, type Rival } from './answered-questions.ts';

const DAY_S = 86_400;
const TENTHS = 10;
/** Below this a tenth's share is luck. */
const MIN_QUESTIONS = 500;

const FORECASTERS = ['model', 'ewma-gauss', ...RIVALS] as const;
type Forecaster = 'model' | 'ewma-gauss' | Rival;
const WIDTH = 2 * FORECASTERS.length + 1;

/** Per cent, with the 2.5 and 97.5% points over resampled days. */
export type PercentInterval = [value: number, low: number, high: number];

export interface KindFigures {
  kind: string;
  questions: number;
  brier: Record<Forecaster, number>;
  logScore: Record<Forecaster, number>;
  /** 100 (1 - sum of the model / sum of the rival). */
  brierLeadPercent: Record<Exclude<Forecaster, 'model'>, PercentInterval>;
  logLeadPercent: Record<Exclude<Forecaster, 'model'>, PercentInterval>;
  /** Each tenth of the chances: how many, their mean, and the share that happened true with its interval, in per cent. */
  reliability: { tenth: number; questions: number; chance: number; share: PercentInterval }[];
  /** Points by which the worst tenth of at least 500 questions is off; null without one. */
  worstTenth: number | null;
  ms: { p50: number; p99: number };
}

/** Adds up the answers of one model. */
export class AnswerTally {
  readonly #kinds = new Map<string, KindSums>();

  add(answered: AnsweredQuestion): void {
    if (answered.posed.happened === null) return;
    for (const kind of kindsOf(answered)) {
      const sums = this.#kinds.get(kind) ?? new KindSums();
      this.#kinds.set(kind, sums);
      sums.add(answered, answered.posed.happened ? 1 : 0);
    }
  }

  figures(): KindFigures[] {
    return [...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, sums]) => sums.figures(kind));
  }
}

/** 'window', 'window 5 after 3'; 'above', 'above bar 5'. */
function kindsOf({ posed }: AnsweredQuestion): string[] {
  const { kind, windowMin, elapsedMin, bar } = posed;
  return [kind, kind === 'window' ? `window ${windowMin} after ${elapsedMin}` : `${kind} bar ${bar}`];
}

class KindSums {
  readonly #scores = new BlockSums(WIDTH, DAY_S);
  readonly #tenths = new BlockSums(3 * TENTHS, DAY_S);
  readonly #ms: number[] = [];

  add({ t0, chance, baseline, rivals, ms }: AnsweredQuestion, outcome: 0 | 1): void {
    for (const [i, name] of FORECASTERS.entries()) {
      const p = name === 'model' ? chance : name === 'ewma-gauss' ? baseline : rivals[name];
      this.#scores.add(t0, 2 * i, (p - outcome) ** 2);
      this.#scores.add(t0, 2 * i + 1, -Math.log(outcome === 1 ? p : 1 - p));
    }
    this.#scores.add(t0, WIDTH - 1, 1);
    const tenth = Math.min(TENTHS - 1, Math.floor(TENTHS * chance));
    for (const [i, value] of [1, chance, outcome].entries()) this.#tenths.add(t0, 3 * tenth + i, value);
    this.#ms.push(ms);
  }

  figures(kind: string): KindFigures {
    const estimate = this.#scores.estimator();
    const mean = (column: number): number => round(estimate((sums) => of(sums, column) / of(sums, WIDTH - 1)).value, 6);
    const lead = (column: number, rival: number): PercentInterval =>
      interval(estimate((sums) => 100 * (1 - of(sums, column) / of(sums, rival))));
    const byName = <T>(value: (at: number) => T): Record<Forecaster, T> =>
      Object.fromEntries(FORECASTERS.map((name, i) => [name, value(i)])) as Record<Forecaster, T>;
    const { model: _, ...brierLeadPercent } = byName((i) => lead(0, 2 * i));
    const { model: __, ...logLeadPercent } = byName((i) => lead(1, 2 * i + 1));
    const reliability = this.#reliability();
    const off = reliability
      .filter(({ questions }) => questions >= MIN_QUESTIONS)
      .map(({ chance, share }) => Math.abs(chance - share[0]));
    const sorted = Float64Array.from(this.#ms).sort();
    return {
      kind,
      questions: sorted.length,
      brier: byName((i) => mean(2 * i)),
      logScore: byName((i) => mean(2 * i + 1)),
      brierLeadPercent,
      logLeadPercent,
      reliability,
      worstTenth: off.length === 0 ? null : round(Math.max(...off), 2),
      ms: { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
    };
  }

  #reliability(): KindFigures['reliability'] {
    const estimate = this.#tenths.estimator();
    return Array.from({ length: TENTHS }, (_, tenth) => {
      const [count, chance, happened] = [0, 1, 2].map((i) => 3 * tenth + i) as [number, number, number];
      return {
        tenth: tenth + 1,
        questions: estimate((sums) => of(sums, count)).value,
        chance: round(100 * estimate((sums) => of(sums, chance) / of(sums, count)).value, 2),
        share: interval(estimate((sums) => (100 * of(sums, happened)) / of(sums, count))),
      };
    }).filter(({ questions }) => questions > 0);
  }
}

function of(sums: Float64Array, column: number): number {
  return sums[column] ?? 0;
}

function interval({ value, low, high }: { value: number; low: number; high: number }): PercentInterval {
  return [round(value, 3), round(low, 3), round(high, 3)];
}

function quantile(sorted: Float64Array, share: number): number {
  return round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0, 4);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
