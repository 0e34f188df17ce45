/** What the codec of every candle venue makes of the venue's words: rows of a REST answer, frames of a stream. */
import { type Candle, isWellFormed, MINUTE_S } from '../candle.ts';
import { decimalOf } from './decimal.ts';

export interface SeenCandle {
  candle: Candle;
  /** Final: its minute is over and nothing of it changes any more. */
  isClosed: boolean;
}

/** One REST answer. */
export interface CandleRows {
  /** Oldest first, one a minute, whatever the order of the rows. */
  seen: SeenCandle[];
  /** Rows of the answer, good or bad: fewer than asked for mean that the venue has no older ones. */
  rows: number;
  /** Rows dropped because they were no candle. */
  malformed: number;
}

/** One frame of a candle stream. */
export type CandleFrame =
  | {
      kind: 'candles';
      productId: string;
      seen: SeenCandle[];
      malformed: number;
      /** The venue's clock when it spoke, milliseconds; null where the frame does not say. */
      eventMs: number | null;
    }
  /** Not about candles: an acknowledgement, an answer to a ping, a word of tomorrow's protocol. */
  | { kind: 'stranger' }
  | { kind: 'malformed' }
  /** The venue refuses what was subscribed to. */
  | { kind: 'refused'; reason: string };

/**
 * Reads every row for itself: a bad one is dropped and counted, the others stay. Of two rows of a minute the later one
 * wins, but an open one never takes the place of a closed one.
 *
 * @param maxRows  rows beyond twice as many as may be asked for are not looked at
 */
export function readCandleRows(
  rows: readonly unknown[],
  maxRows: number,
  readRow: (row: unknown) => SeenCandle | null,
): CandleRows {
  const byTime = new Map<number, SeenCandle>();
  let malformed = 0;
  for (const row of rows.slice(0, 2 * maxRows)) {
    const seen = readRow(row);
    const known = seen === null ? undefined : byTime.get(seen.candle.time);
    if (seen === null) malformed += 1;
    else if (known === undefined || seen.isClosed || !known.isClosed) byTime.set(seen.candle.time, seen);
  }
  const seen = [...byTime.values()].sort((a, b) => a.candle.time - b.candle.time);
  return { seen, rows: rows.length, malformed };
}

/** Cells of a row that should be decimal texts. */
export interface Figures {
  o: unknown;
  h: unknown;
  l: unknown;
  c: unknown;
  v: unknown;
}

/** @param openMs  milliseconds; null when it is no whole minute or the figures make no candle */
export function toCandle(openMs: number, { o, h, l, c, v }: Figures): Candle | null {
  const candle: Candle = {
    time: openMs / 1000,
    open: numberOf(o),
    high: numberOf(h),
    low: numberOf(l),
    close: numberOf(c),
    volume: numberOf(v),
  };
  return isWellFormed(candle) ? candle : null;
}

/** These venues write figures as texts: a bare number is none of theirs. */
function numberOf(cell: unknown): number {
  return typeof cell === 'string' ? decimalOf(cell) : Number.NaN;
}

/** Milliseconds that are written as a text of digits; NaN for anything else. */
export function msOfText(cell: unknown): number {
  return typeof cell === 'string' && /^\d{1,14}$/.test(cell) ? Number(cell) : Number.NaN;
}

/** @param atMs  the venue's own time */
export function isOver(openMs: number, atMs: number): boolean {
  return openMs + MINUTE_S * 1000 <= atMs;
}
