/** Says once, on every page, that there is no network, and since when. Its code is there before it is needed. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { zonedClock, zoneName } from '#domain/format/zoned-time.ts';
import { useIsOnline } from '../../ui/browser/online.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { Away } from '../../ui/status/away.tsx';
import { missingCode } from '../../ui/widget.tsx';
import styles from './offline-strip.module.css';

missingCode.View = Away;

export function OfflineStrip() {
  const isOnline = useIsOnline();
  return (
    // The region is there before its message, so that screen readers announce it.
    <div role="status">{!isOnline && <Strip />}</div>
  );
}

function Strip() {
  const [sinceMs] = useState(() => Date.now());
  const { zone } = useTimeZone();
  const time = `${zonedClock(sinceMs, zone)} ${zoneName(sinceMs, zone)}`;
  const queries = useQueryClient();
  // What was shown is old, and what failed meanwhile is missing.
  useEffect(() => () => void queries.invalidateQueries(), [queries]);
  return (
    <p className={styles.strip}>
      <strong className="weight-600">
        You’re offline since <time dateTime={new Date(sinceMs).toISOString()}>{time}</time>.
      </strong>{' '}
      Figures are from then.
    </p>
  );
}
