/** A question about a price, its moment, and why it may have no answer. */
import { HORIZON_BARS } from '../forecast/window.ts';
import { type ChanceForecast, isPositive, MAX_BARS } from './chance-forecast.ts';
import type { ClockWindow } from './clock-window.ts';
import type { RefusalReason } from './refusals.ts';

/** Bars count from the last closed candle of the forecast: bar 1 is the one that is running. */
export type ChanceQuestion =
  /** Bar `bar` closes above a price, below it, or outside a band. */
  | { kind: 'above' | 'below'; price: number; bar: number }
  | { kind: 'outside'; lower: number; upper: number; bar: number }
  /** Some bar up to `bar` reaches a price; or a target before a stop. */
  | { kind: 'touch'; price: number; bar: number }
  | { kind: 'first'; target: number; stop: number; bar: number }
  /** The running window ends above its open. */
  | { kind: 'window'; window: ClockWindow };

export interface Moment {
  nowMs: number;
  /** The live price, and when the venue last reported one. */
  price: number;
  priceAtMs: number;
  isHalted?: boolean;
}

/** A price further away than a factor of a million is a typing error. */
const FARTHEST = Math.log(1e6);
const STALE_PRICE_MS = 60_000;
const STALE_BARS = 3;
const LEAST_LEFT_S = 1;

/** Bars over since the last closed candle, the running one in part; 0 for a clock that is behind. */
export function elapsedBars({ t0, barS }: ChanceForecast, nowMs: number): number {
  return Math.max(0, (nowMs / 1000 - (t0 + barS)) / barS);
}

/** The bar at whose close the question is decided. */
export function barOf(question: ChanceQuestion, { t0, barS }: ChanceForecast): number {
  return question.kind === 'window' ? (question.window.endS - t0 - barS) / barS : question.bar;
}

/** Null for a question that has a chance. */
export function faultOf(question: ChanceQuestion, forecast: ChanceForecast, moment: Moment): RefusalReason | null {
  return momentFault(forecast, moment) ?? timeFault(question, forecast, moment) ?? priceFault(question, moment.price);
}

// Each comparison is written so that NaN is a fault.
function momentFault(forecast: ChanceForecast, { isHalted, price, nowMs, priceAtMs }: Moment): RefusalReason | null {
  if (isHalted === true) return 'market-halted';
  if (!isPositive(price)) return 'price-invalid';
  if (!(nowMs - priceAtMs <= STALE_PRICE_MS)) return 'price-stale';
  return elapsedBars(forecast, nowMs) < STALE_BARS ? null : 'forecast-stale';
}

function timeFault(question: ChanceQuestion, forecast: ChanceForecast, { nowMs }: Moment): RefusalReason | null {
  const bar = barOf(question, forecast);
  const isWindow = question.kind === 'window';
  const endS = forecast.t0 + (bar + 1) * forecast.barS;
  if (isWindow && !(endS - nowMs / 1000 >= LEAST_LEFT_S)) return 'window-over';
  const isWithin = Number.isInteger(bar) && bar >= 1 && bar <= (isWindow ? MAX_BARS : HORIZON_BARS);
  return isWithin && endS - nowMs / 1000 >= LEAST_LEFT_S ? null : 'bar-outside';
}

function priceFault(question: ChanceQuestion, price: number): RefusalReason | null {
  const posed = pricesOf(question);
  if (!posed.every(isPositive)) return 'price-invalid';
  if (posed.some((each) => Math.abs(Math.log(each / price)) > FARTHEST)) return 'price-too-far';
  switch (question.kind) {
    case 'outside':
      return question.lower < question.upper ? null : 'band-order';
    case 'touch':
    case 'first':
      if (posed.includes(price)) return 'already-reached';
      return question.kind === 'touch' || question.target > price === question.stop < price ? null : 'same-side';
    default:
      return null;
  }
}

function pricesOf(question: ChanceQuestion): number[] {
  switch (question.kind) {
    case 'outside':
      return [question.lower, question.upper];
    case 'first':
      return [question.target, question.stop];
    case 'window':
      return [question.window.open];
    default:
      return [question.price];
  }
}
