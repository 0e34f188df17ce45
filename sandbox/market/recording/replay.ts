/**
 * Plays a recording as if it happened now: values unchanged, time shifted by whole minutes. Markets that never close
 * play their longest unbroken run. Exchanges with hours play their longest sequence of sessions, shifted by whole weeks
 * of New York wall time, so that a session recorded in summer also opens at the right hour in winter.
 */

import { fromExchangeWallS, toExchangeWallS } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import type { HoursId } from '#domain/market/symbols.ts';
import type { SandboxMarketSource } from '../market-source.ts';
import { FIELDS, type Recording } from './recording.ts';

const WEEK_S = 7 * 86_400;
/** Candles of the run before 'now' at the start: history for charts, models and the change of a whole day. */
const HISTORY_ROWS = 1500;
/** The same for bars of a quarter of an hour, of which a model reads 450; only long runs have as many to spare. */
const LONG_HISTORY_ROWS = 9000;
const LONG_ROWS = 4 * LONG_HISTORY_ROWS;
/** A useful forecast needs at least this many: lookback and warm-up. */
const MIN_HISTORY_ROWS = 600;
/** A run shorter than 1,250 candles leaves a fifth of itself to play. */
const MIN_ROWS = MIN_HISTORY_ROWS / 0.8;
/** Missing minutes between the end of an unbroken run and its repetition. */
const GAP_MIN = 5;
/** A longer gap ends a sequence of sessions: long weekends and holidays are shorter. */
const MAX_SILENCE_S = 7 * 86_400;

export interface Replay extends SandboxMarketSource {
  kind: 'replayed';
  rows: number;
  /** Market time at the end of the run, where the gap before its repetition starts, epoch seconds. */
  endS: number;
  /** Market time of the first candle of the repetition. */
  repeatS: number;
}

/** @param nowS  market time at the start, seconds @throws Error when no run gives history and something to play */
export function replayedSource(recording: Recording, hours: HoursId, nowS: number): Replay {
  const [first, end] = longestRun(recording.times, hours === 'always' ? MINUTE_S : MAX_SILENCE_S);
  const rows = end - first;
  if (rows < MIN_ROWS) throw new Error(`its longest run has ${rows} candles, ${MIN_ROWS} are needed`);
  // Copies the run, so that the whole file's buffers can be freed.
  const times = recording.times.slice(first, end);
  const values = recording.values.slice(first * FIELDS, end * FIELDS);

  const wall = (epochS: number): number => toExchangeWallS(hours, epochS);
  const startWallS = wall(times[0] ?? 0);
  const lastWallS = wall(times[rows - 1] ?? 0);
  const unitS = hours === 'always' ? MINUTE_S : WEEK_S;
  const gapS = hours === 'always' ? GAP_MIN * MINUTE_S : MINUTE_S;
  const periodS = Math.ceil((lastWallS + MINUTE_S + gapS - startWallS) / unitS) * unitS;

  const nowWallS = wall(Math.floor(nowS / MINUTE_S) * MINUTE_S);
  const historyRows = rows >= LONG_ROWS ? LONG_HISTORY_ROWS : HISTORY_ROWS;
  const nextRow = Math.min(historyRows, Math.floor(rows * 0.8));
  const nextWallS = wall(times[nextRow] ?? 0);
  const shiftS = wholeShift(nowWallS - nextWallS, unitS, nowWallS - lastWallS);
  const rowsBefore = times.filter((time) => wall(time) < nowWallS - shiftS).length;
  if (rowsBefore < MIN_HISTORY_ROWS)
    throw new Error('it has too few sessions to be replayed from this day of the week');

  function rowOf(timeS: number): number {
    const sinceStartS = wall(timeS) - shiftS - startWallS;
    if (!(sinceStartS >= 0)) return -1;
    return findRow(times, fromExchangeWallS(hours, startWallS + (sinceStartS % periodS)));
  }

  function candleAt(timeS: number): Candle | null {
    const row = rowOf(timeS);
    if (row < 0) return null;
    const at = row * FIELDS;
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = values.subarray(at, at + FIELDS);
    return { time: timeS, open, high, low, close, volume };
  }

  return {
    kind: 'replayed',
    rows,
    firstS: fromExchangeWallS(hours, startWallS + shiftS),
    endS: fromExchangeWallS(hours, lastWallS + MINUTE_S + shiftS),
    repeatS: fromExchangeWallS(hours, startWallS + periodS + shiftS),
    candleAt,
    sourceTimeOf: (timeS) => times[rowOf(timeS)] ?? null,
  };
}

/** The largest whole shift that `most` allows; one unit more if 'now' would otherwise be past the last candle. */
function wholeShift(most: number, unitS: number, leastS: number): number {
  const shiftS = Math.floor(most / unitS) * unitS;
  return shiftS < leastS ? shiftS + unitS : shiftS;
}

/** `[first, end)` of the longest stretch whose steps are at most `maxStepS`; the earliest of equals. */
function longestRun(times: Float64Array, maxStepS: number): readonly [first: number, end: number] {
  let best: readonly [number, number] = [0, 0];
  let first = 0;
  for (let i = 1; i <= times.length; i++) {
    const isBroken = i === times.length || (times[i] ?? 0) - (times[i - 1] ?? 0) > maxStepS;
    if (!isBroken) continue;
    if (i - first > best[1] - best[0]) best = [first, i];
    first = i;
  }
  return best;
}

function findRow(times: Float64Array, timeS: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const time = times[middle] ?? 0;
    if (time === timeS) return middle;
    if (time < timeS) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
