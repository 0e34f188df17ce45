import { useEffect, useState } from 'react';
import { relativeTime } from '#domain/format/relative-time.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import { useTimeZone } from '../browser/time-zone.ts';
import styles from './age.module.css';

const TICK_MS = 10_000;

export interface AgeProps {
  /** ISO 8601; anything else renders nothing. */
  createdAt: string;
  /** 'm': without seconds. */
  smallest?: 's' | 'm';
}

export function Age({ createdAt, smallest = 's' }: AgeProps) {
  const { zone } = useTimeZone();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const createdMs = toEpochMs(createdAt);
  if (createdMs === null) return null;
  const exact = zonedSecond(createdMs, zone);
  return (
    <time
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too
      tabIndex={0}
      className={`figures ${styles.age}`}
      dateTime={new Date(createdMs).toISOString()}
      title={exact}
      data-exact={exact}
    >
      {relativeTime(createdMs, nowMs, smallest)}
    </time>
  );
}
