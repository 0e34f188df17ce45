/**
 * Chances over the wire: the questions of GET /chances as parameters, its answers, and the frames of GET /chances/live.
 * Times are ISO 8601 of the market's clock; chances are shares of 1, never 0 or 1.
 */
import * as z from 'zod/mini';
import { MODEL_NAMES, type ModelName } from '../forecast/models.ts';
import { HORIZON_BARS } from '../forecast/window.ts';
import { MARKET_KINDS } from '../market/symbols.ts';
import { TIMEFRAMES, type Timeframe } from '../market/timeframes.ts';
import { WINDOW_MINUTES, type WindowMinutes } from './clock-window.ts';

export const CHANCES_PATH = '/chances';
export const LIVE_CHANCES_PATH = '/chances/live';
/** Name of the events of GET /chances/live. Each holds a whole frame, so a missed one costs nothing. */
export const LIVE_CHANCES_EVENT = 'chances';

/** A question as it is sent. The server finds the running window itself; a line is one price at every bar. */
export type PosedChance =
  | { kind: 'window'; minutes: WindowMinutes }
  | { kind: 'above' | 'below' | 'touch'; price: number; bar: number }
  | { kind: 'outside'; lower: number; upper: number; bar: number }
  | { kind: 'first'; target: number; stop: number; bar: number }
  | { kind: 'line'; price: number };
export type PosedKind = PosedChance['kind'];

/** Numbers of each kind of question, each a parameter of that name. */
export const POSED_NUMBERS = {
  window: ['minutes'],
  above: ['price', 'bar'],
  below: ['price', 'bar'],
  touch: ['price', 'bar'],
  outside: ['lower', 'upper', 'bar'],
  first: ['target', 'stop', 'bar'],
  line: ['price'],
} as const satisfies Readonly<Record<PosedKind, readonly string[]>>;

/** The forecast that a question is about. `symbol` is the product's own code: BTCUSDT.P. */
export interface ChanceMarket {
  symbol: string;
  model: ModelName;
  timeframe: Timeframe;
}

/** The query of GET /chances/live; with a question, that of GET /chances. */
export function chanceQuery({ symbol, model, timeframe }: ChanceMarket, posed?: PosedChance): string {
  const values = { symbol, model, timeframe, ...posed };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

const chance = z.number().check(z.gt(0), z.lt(1));
const barChances = z.array(z.nullable(chance)).check(z.length(HORIZON_BARS));
const ofMarket = {
  symbol: z.string(),
  model: z.enum(MODEL_NAMES),
  timeframe: z.enum(TIMEFRAMES),
};
const ofMoment = {
  ...ofMarket,
  modelVersion: z.string(),
  marketKind: z.enum(MARKET_KINDS),
  /** Opening second of the forecast's last closed candle; bar n closes n + 1 bars later. */
  t0: z.int(),
  /** When the chance was computed, and the live price it is computed from. */
  asOf: z.string(),
  price: z.number(),
};
const answered = {
  chance,
  /** The same by a normal walk of the recent volatility (EWMA-Gauss). */
  baseline: chance,
  by: z.enum(['quantiles', 'paths']),
  /** Scored questions of this kind with a chance in the same tenth. Null before there are any. */
  similar: z.nullable(z.object({ count: z.int(), happened: z.int() })),
  /** Minutes of the window that are over and have no candle, which the chance leaves out; 0 for other questions. */
  missingMinutes: z.int(),
};
const runningWindow = {
  minutes: z.literal(WINDOW_MINUTES),
  openAt: z.string(),
  endAt: z.string(),
  open: z.number(),
};
const bar = z.int();

export const questionSchema = z.union([
  z.object({ kind: z.literal('window'), ...runningWindow }),
  z.object({ kind: z.enum(['above', 'below', 'touch']), price: z.number(), bar }),
  z.object({ kind: z.literal('outside'), lower: z.number(), upper: z.number(), bar }),
  z.object({ kind: z.literal('first'), target: z.number(), stop: z.number(), bar }),
]);

export const chanceAnswerSchema = z.object({
  ...ofMoment,
  question: questionSchema,
  ...answered,
  /** Only for `first`: neither target nor stop is reached by that bar. The stop comes first in all other cases. */
  neither: z.optional(chance),
  baselineNeither: z.optional(chance),
});
export type ChanceAnswer = z.infer<typeof chanceAnswerSchema>;

/** One price at bars 1 to 50. Null: that bar is over, or the price is where the market is and cannot be touched. */
export const lineAnswerSchema = z.object({
  ...ofMoment,
  question: z.object({ kind: z.literal('line'), price: z.number() }),
  /** Closing above the price. */
  above: barChances,
  aboveBaseline: barChances,
  /** Reaching it at least once up to that bar. */
  touch: barChances,
  touchBaseline: barChances,
});
export type LineAnswer = z.infer<typeof lineAnswerSchema>;

/** In a frame, takes the place of a chance that there is none of now. `message` is a text for users. */
const noChanceSchema = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export type NoChance = z.infer<typeof noChanceSchema>;

const windowChance = z.object({ ...runningWindow, ...answered });
export type WindowChance = z.infer<typeof windowChance>;
const withoutChance = z.extend(noChanceSchema, { minutes: z.literal(WINDOW_MINUTES) });

/** A frame of GET /chances/live: the running windows of 5, 15 and 60 minutes, or why the market has no chances now. */
export const liveChancesSchema = z.union([
  z.object({ ...ofMoment, windows: z.array(z.union([windowChance, withoutChance])) }),
  z.extend(noChanceSchema, ofMarket),
]);
export type LiveChances = z.infer<typeof liveChancesSchema>;
