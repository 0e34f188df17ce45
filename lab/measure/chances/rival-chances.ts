/** The chances that a forecaster without paths gives: log-HAR by its quantiles, and a walk of one volatility. */
import { walkAbove, walkFirst, walkTouch } from '../../../domain/chances/baseline-chance.ts';
import { LEAST_CHANCE } from '../../../domain/chances/chance.ts';
import { upperTailOf } from '../../../domain/chances/close-chance.ts';
import { QUANTILE_LEVELS } from '../../../domain/forecast/quantiles.ts';
import { LEVEL_COUNT, type WindowForecast } from '../windows/window-forecast.ts';
import type { PosedQuestion } from './posed-questions.ts';

/** The level whose quantile of a normal distribution is about one deviation, and that quantile. */
const DEVIATION_LEVEL = QUANTILE_LEVELS.indexOf(0.85);
const DEVIATION_Z = 1.03643338949379;

type Posed = Pick<PosedQuestion, 'kind' | 'bar' | 'threshold' | 'threshold2'>;

/** By a forecaster's quantiles; a price is touched twice as often as a close is beyond it. */
export function quantileChance({ quantiles }: WindowForecast, posed: Posed, lastClose: number): number {
  const start = (posed.bar - 1) * LEVEL_COUNT;
  const row = quantiles.subarray(start, start + LEVEL_COUNT);
  const move = Math.log(posed.threshold / lastClose);
  switch (posed.kind) {
    case 'window':
    case 'above':
      return inside(upperTailOf(row, move));
    case 'touch':
      return inside(Math.min(1, 2 * (move > 0 ? upperTailOf(row, move) : 1 - upperTailOf(row, move))));
    case 'first':
      return walkChance((row[DEVIATION_LEVEL] ?? 0) / DEVIATION_Z, posed, lastClose);
  }
}

/** By a normal walk that has this deviation at the bar of the question. */
export function walkChance(sigma: number, posed: Posed, lastClose: number): number {
  const move = Math.log(posed.threshold / lastClose);
  switch (posed.kind) {
    case 'window':
    case 'above':
      return inside(walkAbove(sigma, move));
    case 'touch':
      return inside(walkTouch(sigma, move));
    case 'first':
      return inside(walkFirst(sigma, Math.abs(move), Math.abs(Math.log((posed.threshold2 ?? 0) / lastClose))));
  }
}

function inside(chance: number): number {
  return Math.max(LEAST_CHANCE, Math.min(1 - LEAST_CHANCE, chance));
}
