/** A post's day in the viewer's zone, with the exact time on hover and focus. */
import type { ReactNode } from 'react';
import { zonedDay, zonedSecond } from '#domain/format/zoned-time.ts';
import { toEpochMs } from '#domain/time/epoch.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import styles from './post-time.module.css';

export interface PostTimeProps {
  /** ISO 8601; nothing shows for any other text. */
  time: string;
  /** Shown in place of the day. */
  children?: ReactNode;
}

export function PostTime({ time, children }: PostTimeProps) {
  const { zone } = useTimeZone();
  const timeMs = toEpochMs(time);
  if (timeMs === null) return null;
  const exact = zonedSecond(timeMs, zone);
  return (
    <time
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too
      tabIndex={0}
      className={styles.time}
      dateTime={new Date(timeMs).toISOString()}
      title={exact}
      data-exact={exact}
    >
      {children ?? zonedDay(timeMs, zone)}
    </time>
  );
}
