/**
 * The board scores a user's own predictions, the crowd's votes and the models alike: at bar 50 of one timeframe, and only
 * on forecasts whose 50 bars do not overlap, because overlapping forecasts share their luck.
 */
import * as z from 'zod/mini';
import { horizonDuration } from '../../forecast/horizon-duration.ts';
import { HORIZON_BARS } from '../../forecast/window.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '../../market/timeframes.ts';
import { LONGER_TIMEFRAMES } from '../ledger/ledger.ts';

export const BOARD_PERIODS = { '7d': 7, '30d': 30 } as const;
export type BoardPeriod = keyof typeof BOARD_PERIODS;

/** Always in this order: a ranking would mostly reflect luck. */
export const BOARD_WHO = ['you', 'crowd', 'bobcat', 'panther', 'lion'] as const;
export type BoardWho = (typeof BOARD_WHO)[number];

/** With fewer, nothing is compared. */
export const FEWEST_COMPARED = 30;

const count = z.int().check(z.nonnegative());
const interval = z.tuple([z.number(), z.number()]);

const boardRowSchema = z.object({
  who: z.enum(BOARD_WHO),
  /** Scored forecasts, without overlaps. */
  n: count,
  /** Left out because their bars overlap those of a counted forecast. */
  overlapping: count,
  /** Of the scored ones, those that took a side and where the price moved off the last close. */
  sided: count,
  right: count,
  /** Share of `sided` that were right, with Wilson's 95% interval; null below FEWEST_COMPARED. */
  share: z.nullable(z.object({ value: z.number(), interval })),
  /** Mean absolute errors at bar 50 in bp of ln, and 1 - path / last close; null below FEWEST_COMPARED and without paths. */
  path: z.nullable(z.object({ maeBp: z.number(), lastCloseMaeBp: z.number(), skill: z.number(), interval })),
  /** Beyond chance, by intervals of 99.5%, to allow for the number of rows and figures on the board. */
  isBetter: z.boolean(),
});
export type BoardRow = z.infer<typeof boardRowSchema>;

const periodSchema = z.object({ rows: z.array(boardRowSchema) });

export const trackBoardSchema = z.object({
  market: z.enum(MARKET_KINDS),
  /** Length of a candle; absent: one minute. */
  tf: z.optional(z.enum(LONGER_TIMEFRAMES)),
  periods: z.object({ '7d': periodSchema, '30d': periodSchema }),
});
export type TrackBoard = z.infer<typeof trackBoardSchema>;

export interface BoardCall {
  /** Opening second of the last real candle. */
  joinS: number;
  /** ln(drawn close / last close) at bar 50, bp; its sign when only a side was given. */
  drawnBp: number;
  /** The actual move, bp. */
  actualBp: number;
}

/** @param calls  forecasts of one participant and timeframe, in any order; of two of the same candle the first counts */
export function boardRow(
  who: BoardWho,
  calls: readonly BoardCall[],
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): BoardRow {
  const judged = withoutOverlaps(calls, HORIZON_BARS * barSecondsOf(timeframe));
  const sided = judged.filter(({ drawnBp, actualBp }) => drawnBp !== 0 && actualBp !== 0);
  const right = sided.filter(({ drawnBp, actualBp }) => Math.sign(drawnBp) === Math.sign(actualBp)).length;
  const isShareShown = sided.length >= FEWEST_COMPARED;
  const path = who === 'crowd' || judged.length < FEWEST_COMPARED ? null : pathFigures(judged);
  return {
    who,
    n: judged.length,
    overlapping: calls.length - judged.length,
    sided: sided.length,
    right,
    share: isShareShown ? { value: right / sided.length, interval: wilson(right, sided.length, Z_95) } : null,
    path: path === null ? null : { ...path.figures, interval: path.intervalAt(Z_95) },
    isBetter:
      (isShareShown && wilson(right, sided.length, Z_VERDICT)[0] > 0.5) ||
      (path !== null && path.intervalAt(Z_VERDICT)[0] > 0),
  };
}

const Z_95 = 1.96;
/** 99.5%: the board has ten figures, and one in twenty of them would look better by chance. */
const Z_VERDICT = 2.81;
/** Takes the earliest first and drops any within its 50 bars. */
function withoutOverlaps(calls: readonly BoardCall[], horizonS: number): BoardCall[] {
  const separate: BoardCall[] = [];
  for (const call of calls.toSorted((a, b) => a.joinS - b.joinS)) {
    const last = separate.at(-1);
    if (last === undefined || call.joinS - last.joinS >= horizonS) separate.push(call);
  }
  return separate;
}

/** Wilson interval of the share right / n at the given width. Stays within 0 and 1 for any n. */
export function wilson(right: number, n: number, width: number): [number, number] {
  const share = right / n;
  const square = width * width;
  const middle = (share + square / (2 * n)) / (1 + square / n);
  const half = (width / (1 + square / n)) * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Null when the price never moved: nothing to beat. The interval is the usual one of a ratio of two sums. */
function pathFigures(calls: readonly BoardCall[]) {
  const errors = calls.map(({ drawnBp, actualBp }) => ({
    path: Math.abs(actualBp - drawnBp),
    lastClose: Math.abs(actualBp),
  }));
  const path = errors.reduce((sum, error) => sum + error.path, 0);
  const lastClose = errors.reduce((sum, error) => sum + error.lastClose, 0);
  if (lastClose === 0) return null;
  const ratio = path / lastClose;
  const squares = errors.reduce((sum, error) => sum + (error.path - ratio * error.lastClose) ** 2, 0);
  const n = errors.length;
  const deviation = Math.sqrt((squares * n) / (n - 1)) / lastClose;
  const skill = 1 - ratio;
  return {
    figures: { maeBp: path / n, lastCloseMaeBp: lastClose / n, skill },
    intervalAt: (width: number): [number, number] => [skill - width * deviation, skill + width * deviation],
  };
}

export function boardVerdict(rows: readonly BoardRow[], timeframe: Timeframe = DEFAULT_TIMEFRAME): string {
  const compared = rows.filter(({ share, path }) => share !== null || path !== null);
  if (compared.length === 0)
    return `Not enough forecasts yet. With fewer than ${FEWEST_COMPARED}, results can’t be told from luck.`;
  const better = compared.filter(({ isBetter }) => isBetter);
  if (better.length === 0)
    return `No one beats the last price over ${horizonDuration(timeframe)}. No share is clearly above the coin’s 50%, and no path is clearly closer than the last close.`;
  const names = better.map(({ who }) => BOARD_NAMES[who]).join(' and ');
  return `Better than chance here: ${names}. One period proves little.`;
}

export const BOARD_NAMES: Readonly<Record<BoardWho, string>> = {
  you: 'You',
  crowd: 'The crowd',
  bobcat: 'Bobcat',
  panther: 'Panther',
  lion: 'Lion',
};
