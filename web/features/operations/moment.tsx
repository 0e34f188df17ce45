/** '3m ago' in a dense table, with the exact time on hover; or the time until something is due. */
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { formatDuration } from '#domain/operations/attention.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';

export interface MomentProps {
  /** Null shows a dash. */
  atMs: number | null;
  nowMs: number;
}

export function Moment({ atMs, nowMs }: MomentProps) {
  const { zone } = useTimeZone();
  if (atMs === null) return <span className="muted">–</span>;
  const words = atMs > nowMs + 1000 ? `in ${formatDuration(atMs - nowMs)}` : relativeTime(atMs, nowMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={zonedSecond(atMs, zone)} className="figures">
      {words}
    </time>
  );
}
