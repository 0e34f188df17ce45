import { type Candle, isWellFormed } from '../candle.ts';
import { decimalOf } from './decimal.ts';

export interface SeenCandle {
  candle: Candle;
  /** True when its minute is over and it no longer changes. */
  isClosed: boolean;
}

export interface CandleRows {
  /** Oldest first, one a minute, whatever the order of the rows. */
  seen: SeenCandle[];
  /** Rows of the response, good or bad: fewer than requested means that the venue has no older ones. */
  rows: number;
  /** Rows dropped because they were not valid candles. */
  malformed: number;
}

export type CandleFrame =
  | {
      kind: 'candles';
      productId: string;
      seen: SeenCandle[];
      malformed: number;
      /** The venue's clock when it sent the frame, milliseconds; null when the frame has none. */
      eventMs: number | null;
    }
  /** Not about candles: an acknowledgement, a pong, a message type added later. */
  | { kind: 'ignored' }
  | { kind: 'malformed' }
  /** The venue refuses the subscription. */
  | { kind: 'refused'; reason: string };

/**
 * Reads every row separately: a bad one is dropped and counted, the others stay. Of two rows of a minute the later one
 * wins, but an open one never replaces a closed one.
 *
 * @param maxRows  most rows per request; rows beyond twice as many are ignored
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

/** Cells of a row, expected to be decimal texts. */
export interface Figures {
  o: unknown;
  h: unknown;
  l: unknown;
  c: unknown;
  v: unknown;
}

/** @param openMs  milliseconds. @returns null unless it is a whole minute with a valid candle */
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

/** These venues send figures as text, so a bare number is invalid. */
function numberOf(cell: unknown): number {
  return typeof cell === 'string' ? decimalOf(cell) : Number.NaN;
}

/** Milliseconds from a text of digits; NaN for anything else. */
export function msOfText(cell: unknown): number {
  return typeof cell === 'string' && /^\d{1,14}$/.test(cell) ? Number(cell) : Number.NaN;
}
