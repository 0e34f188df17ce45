/** 'Updated 3m ago.': the moment that figures are of, with the exact one on hover. */
import { relativeTime } from '#domain/format/relative-time.ts';

export interface AsOfProps {
  /** Before the age: 'Updated'. */
  words: string;
  timeMs: number;
  nowMs: number;
  /** 'm': without seconds. */
  smallest?: 's' | 'm';
}

export function AsOf({ words, timeMs, nowMs, smallest = 's' }: AsOfProps) {
  const time = new Date(timeMs);
  return (
    <span title={time.toLocaleString()}>
      {words} <time dateTime={time.toISOString()}>{relativeTime(timeMs, nowMs, smallest)}</time>.
    </span>
  );
}
