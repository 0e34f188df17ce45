/** The chances of one price at every bar: what a line on the chart shows. */
import { HORIZON_BARS } from '../forecast/window.ts';
import { type Chance, type ChanceOptions, chanceOf } from './chance.ts';
import type { ChanceForecast } from './chance-forecast.ts';
import type { ChanceQuestion, Moment } from './question.ts';
import { isRefusal, type RefusedChance } from './refusals.ts';

export interface LineChances {
  /** By bar, 50 of each. Null: the bar is over, or the price is where the market is and cannot be touched. */
  above: (Chance | null)[];
  touch: (Chance | null)[];
}

/** Refused if the price or the moment has no chances at all. */
export function lineChances(
  price: number,
  forecast: ChanceForecast,
  moment: Moment,
  options: ChanceOptions = {},
): LineChances | RefusedChance {
  const last = chanceOf({ kind: 'above', price, bar: HORIZON_BARS }, forecast, moment, options);
  if (isRefusal(last)) return last;
  const answered = (question: ChanceQuestion): Chance | null => {
    const found = chanceOf(question, forecast, moment, options);
    return isRefusal(found) ? null : found;
  };
  const bars = Array.from({ length: HORIZON_BARS }, (_, i) => i + 1);
  return {
    above: bars.map((bar) => (bar === HORIZON_BARS ? last : answered({ kind: 'above', price, bar }))),
    touch: bars.map((bar) => answered({ kind: 'touch', price, bar })),
  };
}
