/** Which moments of a recording questions are put at, and the windows of candles that they need. */
import { MINUTE_S } from '../../../domain/market/candle.ts';
import type { CandleFile } from '../candle-files.ts';
import { type TimeRange, type Window, windowsWhere } from '../windows/windows.ts';

/** Minutes of a clock window that are over when its question is put, by the window's minutes. */
export const ELAPSED_MINUTES = { 5: [1, 3], 15: [3, 8, 12] } as const;

/** A running clock window. */
export interface PosedWindow {
  windowMin: 5 | 15;
  elapsedMin: number;
}

const WINDOWS: readonly PosedWindow[] = [
  ...ELAPSED_MINUTES[5].map((elapsedMin) => ({ windowMin: 5, elapsedMin }) as const),
  ...ELAPSED_MINUTES[15].map((elapsedMin) => ({ windowMin: 15, elapsedMin }) as const),
];

/** The questions that follow the close of the candle at `t0`. */
export interface MeasuredMoment {
  /** Every `strideMinutes`: prices above, touched and reached first. */
  isAnchor: boolean;
  /** The clock windows that contain an anchor. */
  windows: readonly PosedWindow[];
}

/** @param t0  opening second of the last closed candle */
export function posedAt(t0: number, strideMinutes: number): MeasuredMoment {
  const minute = t0 / MINUTE_S;
  const windows = WINDOWS.filter(({ windowMin, elapsedMin }) => {
    const open = minute + 1 - elapsedMin;
    if (open % windowMin !== 0) return false;
    // The last multiple of the stride up to the window's last minute lies within the window.
    return Math.floor((open + windowMin - 1) / strideMinutes) * strideMinutes >= open;
  });
  return { isAnchor: minute % strideMinutes === 0, windows };
}

/** The windows of candles up to each moment with a question. */
export function posedWindowsOf(file: CandleFile, span: TimeRange, strideMinutes: number): Generator<Window> {
  return windowsWhere(file, span, (t0) => {
    const { isAnchor, windows } = posedAt(t0, strideMinutes);
    return isAnchor || windows.length > 0;
  });
}
