/**
 * The bands as users see them: the model's own, corrected by what the public record has learnt so far
 * (domain/record/bands). Replayed over the windows of one symbol in the order of time. It starts with nothing learnt
 * and learns an outcome only once its fiftieth bar has closed.
 */
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { barSecondsOf, type Timeframe } from '../../../domain/market/timeframes.ts';
import {
  type BandGains,
  type BandState,
  correctionFrom,
  gainsOf,
  learn,
  UNLEARNT,
} from '../../../domain/record/bands/adaptive-bands.ts';
import { type BandCorrection, correctedUpper, factorsAt } from '../../../domain/record/bands/band-correction.ts';
import { slotSecondsOf } from '../../../domain/record/ledger/ledger.ts';
import { SCORED_BARS } from '../../../domain/record/scoring/scoring.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import { LEVEL_COUNT, symmetricQuantiles, type WindowForecast } from './window-forecast.ts';
import type { Window } from './windows.ts';

const MIDDLE = (LEVEL_COUNT - 1) / 2;
const [AT_80, AT_95] = [UPPER_LEVELS.indexOf(0.9), UPPER_LEVELS.indexOf(0.975)];

interface Waiting {
  endS: number;
  /** By model. */
  inside: { shown80: boolean[]; shown95: boolean[] }[];
}

export class ShownBands {
  readonly #barS: number;
  readonly #slotS: number;
  readonly #gains: BandGains;
  readonly #states: BandState[];
  readonly #waiting: Waiting[] = [];
  #lastLessonS = Number.NEGATIVE_INFINITY;

  constructor(timeframe: Timeframe, models: number) {
    this.#barS = barSecondsOf(timeframe);
    this.#slotS = slotSecondsOf(timeframe);
    this.#gains = gainsOf(timeframe);
    this.#states = Array.from({ length: models }, () => UNLEARNT);
  }

  /** @param window  not earlier than the one before @param own  by model @returns the same as shown */
  next({ t0, future }: Pick<Window, 't0' | 'future'>, own: readonly WindowForecast[]): WindowForecast[] {
    const closesS = t0 + this.#barS;
    this.#learnUntil(closesS);
    const shown = own.map((forecast, m) => correctedForecast(forecast, correctionFrom(this.#states[m] ?? UNLEARNT)));
    if (closesS - this.#lastLessonS >= this.#slotS) {
      this.#lastLessonS = closesS;
      const inside = shown.map((forecast) => insideOf(forecast, future.change));
      this.#waiting.push({ endS: closesS + HORIZON_BARS * this.#barS, inside });
    }
    return shown;
  }

  #learnUntil(nowS: number): void {
    for (let due = this.#waiting[0]; due !== undefined && due.endS < nowS; due = this.#waiting[0]) {
      this.#waiting.shift();
      for (const [m, inside] of due.inside.entries()) {
        const state = this.#states[m] ?? UNLEARNT;
        this.#states[m] = learn(state, { seq: state.lastSeq + 1, inside }, this.#gains);
      }
    }
  }
}

function correctedForecast(own: WindowForecast, correction: BandCorrection): WindowForecast {
  const rows = Array.from({ length: HORIZON_BARS }, (_, i) => {
    const from = i * LEVEL_COUNT + MIDDLE + 1;
    const upper = Array.from(own.quantiles.subarray(from, from + UPPER_LEVELS.length));
    return correctedUpper(UPPER_LEVELS, upper, factorsAt(correction, i + 1));
  });
  return { ...own, quantiles: symmetricQuantiles((h, level) => rows[h - 1]?.[level] ?? 0) };
}

function insideOf({ quantiles }: WindowForecast, change: Float64Array): Waiting['inside'][number] {
  const within = (level: number): boolean[] =>
    SCORED_BARS.map((bar) => {
      const edge = quantiles[(bar - 1) * LEVEL_COUNT + MIDDLE + 1 + level] ?? 0;
      return Math.abs(change[bar - 1] ?? 0) <= edge;
    });
  return { shown80: within(AT_80), shown95: within(AT_95) };
}
