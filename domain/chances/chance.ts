/**
 * The chance that something happens to a price, from a forecast. Pure: the caller brings the time and the price. What
 * has no chance is refused with a reason; a chance is never 0, 1 or NaN before the end.
 */
import { HORIZON_BARS } from '../forecast/window.ts';
import { walkAbove, walkFirst, walkTouch } from './baseline-chance.ts';
import { CALIBRATION, type Calibration, widthOf } from './calibration.ts';
import { type ChanceForecast, varianceLeft, variancesLeft } from './chance-forecast.ts';
import { closeAboveChance } from './close-chance.ts';
import { CHANCE_PAIRS, type DrawnPaths, type PathSteps, pathSteps, scaledPaths } from './draw-paths.ts';
import { pathFirst, pathTouch } from './path-chance.ts';
import { barOf, type ChanceQuestion, elapsedBars, faultOf, type Moment } from './question.ts';
import { type RefusedChance, refusal } from './refusals.ts';

/** How often similar questions were put on the record, and how often they happened true. */
export interface SimilarPast {
  count: number;
  happened: number;
}

export interface Chance {
  ok: true;
  chance: number;
  /** The same by a normal walk of the recent volatility (EWMA-Gauss). */
  baseline: number;
  by: 'quantiles' | 'paths';
  similar: SimilarPast | null;
  /** Minutes of the window that are over and have no candle: the chance does not know them. */
  missingMinutes: number;
}

export interface ChanceOptions {
  calibration?: Calibration;
  /** `momentPaths` of the same forecast and moment, scaled once for many questions; without it each does. */
  paths?: () => DrawnPaths | null;
  /** Counts of the record for a question of this kind and chance. */
  similar?: (question: ChanceQuestion, chance: number) => SimilarPast | null;
}

/** Every chance is at least this far from 0 and 1. */
export const LEAST_CHANCE = 1e-6;

/** The chance of a question now, or why it has none. */
export function chanceOf(
  question: ChanceQuestion,
  forecast: ChanceForecast,
  moment: Moment,
  { calibration = CALIBRATION, paths = () => scratchPaths(forecast, moment), similar }: ChanceOptions = {},
): Chance | RefusedChance {
  const fault = faultOf(question, forecast, moment);
  if (fault !== null) return refusal(fault);
  const remaining = { elapsed: elapsedBars(forecast, moment.nowMs), bar: barOf(question, forecast) };
  const found = answer(question, { forecast, remaining, price: moment.price, calibration, paths });
  if (found === null) return refusal('paths-missing');
  const chance = inside(found.chance);
  return {
    ok: true,
    chance,
    baseline: inside(found.baseline),
    by: found.by,
    similar: similar?.(question, chance) ?? null,
    missingMinutes: question.kind === 'window' ? question.window.missing : 0,
  };
}

const stepsOf = new WeakMap<ChanceForecast, PathSteps>();

/** Draws what is random about a forecast's paths, which its first question by paths would wait for. */
export function drawSteps(forecast: ChanceForecast): PathSteps | null {
  if (forecast.paths === null) return null;
  const steps = stepsOf.get(forecast) ?? pathSteps(forecast.paths, HORIZON_BARS, CHANCE_PAIRS, forecast.key);
  stepsOf.set(forecast, steps);
  return steps;
}

/**
 * 4,000 paths from now to the forecast's last bar, the same for everyone by the forecast's key. Null without tables.
 * @param into  paths that are no longer needed, which are overwritten
 */
export function momentPaths(
  forecast: ChanceForecast,
  { nowMs }: Pick<Moment, 'nowMs'>,
  into: DrawnPaths | null = null,
): DrawnPaths | null {
  const steps = drawSteps(forecast);
  if (steps === null) return null;
  return scaledPaths(steps, variancesLeft(forecast, elapsedBars(forecast, nowMs), HORIZON_BARS), into);
}

/** Overwritten by the next question: a fresh megabyte for each costs more than its numbers. */
let scratch: DrawnPaths | null = null;

function scratchPaths(forecast: ChanceForecast, moment: Moment): DrawnPaths | null {
  const paths = momentPaths(forecast, moment, scratch);
  scratch = paths ?? scratch;
  return paths;
}

interface Posed {
  forecast: ChanceForecast;
  remaining: { elapsed: number; bar: number };
  price: number;
  calibration: Calibration;
  paths: () => DrawnPaths | null;
}

type Found = Pick<Chance, 'chance' | 'baseline' | 'by'>;

function answer(question: ChanceQuestion, posed: Posed): Found | null {
  switch (question.kind) {
    case 'above':
      return closesAbove(question.price, 'close', posed);
    case 'below':
      return not(closesAbove(question.price, 'close', posed));
    case 'outside': {
      const above = closesAbove(question.upper, 'close', posed);
      const below = not(closesAbove(question.lower, 'close', posed));
      return { ...above, chance: above.chance + below.chance, baseline: above.baseline + below.baseline };
    }
    case 'window':
      return closesAbove(question.window.open, 'window', posed);
    case 'touch':
      return touches(question.price, posed);
    case 'first':
      return reachesFirst(question.target, question.stop, posed);
  }
}

function closesAbove(price: number, kind: 'close' | 'window', posed: Posed): Found {
  const { forecast, remaining, calibration } = posed;
  const move = Math.log(price / posed.price);
  const width = widthOf(calibration, kind, remaining);
  const ofQuantiles = closeAboveChance(forecast, remaining, move, width);
  const ofWalk = walkAbove(deviationOf(posed), move);
  return {
    chance: ofQuantiles + calibration.walkShare * (ofWalk - ofQuantiles),
    baseline: walkAbove(sigmaOf(posed), move),
    by: 'quantiles',
  };
}

/**
 * Half counted on the paths, half by reflection: a walk is at a price twice as often as it ends beyond it. Paths know
 * wicks and clusters, the quantiles know the width; on validation days their mean was better than either.
 */
function touches(price: number, posed: Posed): Found | null {
  const drawn = posed.paths();
  if (drawn === null) return null;
  const move = Math.log(price / posed.price);
  const above = closesAbove(price, 'close', posed).chance;
  const beyond = move > 0 ? above : 1 - above;
  const counted = pathTouch(drawn, move / widthOf(posed.calibration, 'touch', posed.remaining), barsLeft(posed));
  return {
    // Whatever closes beyond a price has reached it, so the counted share may not be less.
    chance: (Math.max(counted, beyond) + Math.min(1, 2 * beyond)) / 2,
    baseline: walkTouch(sigmaOf(posed), move),
    by: 'paths',
  };
}

/** Half counted on the paths, half that of a normal walk with the variance that is left. */
function reachesFirst(target: number, stop: number, posed: Posed): Found | null {
  const drawn = posed.paths();
  if (drawn === null) return null;
  const { remaining, calibration } = posed;
  const ahead = Math.abs(Math.log(target / posed.price));
  const behind = Math.abs(Math.log(stop / posed.price));
  const width = widthOf(calibration, 'first', remaining);
  const isUp = target > stop;
  const [up, down] = isUp ? [ahead, behind] : [behind, ahead];
  const counted = pathFirst(drawn, up / width, down / width, barsLeft(posed));
  return {
    chance: ((isUp ? counted.above : counted.below) + walkFirst(deviationOf(posed), ahead, behind)) / 2,
    baseline: walkFirst(sigmaOf(posed), ahead, behind),
    by: 'paths',
  };
}

/** Root of the variance that the forecast leaves. */
function deviationOf({ forecast, remaining }: Posed): number {
  return Math.sqrt(varianceLeft(forecast, remaining.elapsed, remaining.bar));
}

function sigmaOf({ forecast, remaining }: Posed): number {
  return forecast.ewma * Math.sqrt(remaining.bar - remaining.elapsed);
}

/** The running bar is the first of the drawn ones. */
function barsLeft({ remaining }: Posed): number {
  return remaining.bar - Math.floor(remaining.elapsed);
}

function not({ chance, baseline, by }: Found): Found {
  return { chance: 1 - chance, baseline: 1 - baseline, by };
}

function inside(chance: number): number {
  return Math.max(LEAST_CHANCE, Math.min(1 - LEAST_CHANCE, chance));
}
