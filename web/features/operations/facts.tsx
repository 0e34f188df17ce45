/** Named figures in rows, for the head of a panel, and times. */
import type { ReactNode } from 'react';
import { groupedCount } from '#domain/format/count.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { formatDuration } from '#domain/operations/attention.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import styles from './parts.module.css';

export interface Fact {
  name: string;
  value: ReactNode;
}

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** '12', '10,000+'. */
export function countText({ count, isMore }: { count: number; isMore: boolean }): string {
  return `${groupedCount(count)}${isMore ? '+' : ''}`;
}

export interface MomentProps {
  atMs: number | null;
  nowMs: number;
}

/** '3m ago' in a dense table, with the exact time on hover; or the time until something is due. */
export function Moment({ atMs, nowMs }: MomentProps) {
  const { zone } = useTimeZone();
  if (atMs === null) return <span className="muted">–</span>;
  const text = atMs > nowMs + 1000 ? `in ${formatDuration(atMs - nowMs)}` : relativeTime(atMs, nowMs);
  return (
    <time dateTime={new Date(atMs).toISOString()} title={zonedSecond(atMs, zone)} className="figures">
      {text}
    </time>
  );
}
