import type { Durations } from './durations.ts';
import { estimateMs } from './durations.ts';

export interface Progress {
  kind: string;
  done: readonly string[];
  /** Not finished yet. */
  left: readonly string[];
  failed: number;
  elapsedMs: number;
}

/** @example `contract: 40 of 170 files, about 1 min 20 s left, 0 failed` */
export function progressLine(progress: Progress, durations: Durations): string {
  const { kind, done, left, failed } = progress;
  const leftMs = timeLeftMs(progress, durations);
  const time = leftMs === null ? '' : `, about ${formatSpan(leftMs)} left`;
  return `${kind}: ${done.length} of ${done.length + left.length} files${time}, ${failed} failed`;
}

/** Scales the estimates by their accuracy so far. @returns null if nothing is finished yet */
function timeLeftMs({ done, left, elapsedMs }: Progress, durations: Durations): number | null {
  const sum = (files: readonly string[]): number =>
    files.reduce((total, file) => total + estimateMs(file, durations), 0);
  const finishedMs = sum(done);
  return finishedMs === 0 ? null : (elapsedMs * sum(left)) / finishedMs;
}

/** @example `1 min 20 s` */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
