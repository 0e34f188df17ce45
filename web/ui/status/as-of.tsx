/** 'Updated 3m ago.': the age of figures, with the exact time on hover. */
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../browser/time-zone.ts';

export interface AsOfProps {
  label: string;
  timeMs: number;
  nowMs: number;
  /** 'm': without seconds. */
  smallest?: 's' | 'm';
}

export function AsOf({ label, timeMs, nowMs, smallest = 's' }: AsOfProps) {
  const { zone } = useTimeZone();
  return (
    <span title={zonedSecond(timeMs, zone)}>
      {label} <time dateTime={new Date(timeMs).toISOString()}>{relativeTime(timeMs, nowMs, smallest)}</time>.
    </span>
  );
}
