/** How long ago, with the exact time on hover and focus; read again as it grows. */
import { useEffect, useState } from 'react';
import { relativeTime } from '#domain/format/relative-time.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import styles from './age.module.css';

const TICK_MS = 10_000;

export interface AgeProps {
  /** ISO 8601; nothing is shown for anything else. */
  createdAt: string;
  /** 'm': without seconds. */
  smallest?: 's' | 'm';
}

export function Age({ createdAt, smallest = 's' }: AgeProps) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const createdMs = toEpochMs(createdAt);
  if (createdMs === null) return null;
  const exact = new Date(createdMs);
  return (
    <time
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too
      tabIndex={0}
      className={`figures ${styles.age}`}
      dateTime={exact.toISOString()}
      title={exact.toLocaleString()}
      data-exact={exact.toLocaleString()}
    >
      {relativeTime(createdMs, nowMs, smallest)}
    </time>
  );
}
