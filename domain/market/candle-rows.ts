/** What the codec of every candle venue makes of the venue's words: rows of a REST answer, frames of a stream. */
import { type Candle, isWellFormed, MINUTE_S } from './candle.ts';

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

/** Figures of a row as the wire has them: decimal texts. */
export interface Figures {
  o: string;
  h: string;
  l: string;
  c: string;
  v: string;
}

/** @param openMs  milliseconds, a whole minute; null when the figures make no candle */
export function toCandle(openMs: number, { o, h, l, c, v }: Figures): Candle | null {
  const candle: Candle = {
    time: openMs / 1000,
    open: Number(o),
    high: Number(h),
    low: Number(l),
    close: Number(c),
    volume: Number(v),
  };
  return isWellFormed(candle) ? candle : null;
}

/** @param atMs  the venue's own time */
export function isOver(openMs: number, atMs: number): boolean {
  return openMs + MINUTE_S * 1000 <= atMs;
}
