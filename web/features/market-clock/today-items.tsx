/** The line's text. It changes each minute, so it is no live region: screen readers would announce each change. */
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { AsOf } from '../../ui/status/as-of.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { Retry } from '../../ui/status/quiet.tsx';
import { ReportedFailure } from '../../ui/status/reported-failure.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './today-items.module.css';
import { todayLine } from './today-line.ts';
import { CLOCK_MS, useEvents } from './use-market-clock.ts';

export function TodayItems() {
  const nowMs = useNow(CLOCK_MS);
  const known = useEvents(nowMs);
  const { zone } = useTimeZone();
  const { data, failure, staleSinceMs } = known;
  if (data === null && failure !== null)
    return (
      <div className={styles.line}>
        <ReportedFailure spokenAs="status" className="warning flex-1 min-width-0">
          {failure}
        </ReportedFailure>
        <Retry isRetrying={known.isRetrying} onRetry={known.retry} />
      </div>
    );
  if (data === null) return <Skeleton className={styles.waiting} />;
  const items = todayLine(data.events, nowMs, zone);
  const isStale = staleSinceMs !== null;
  return (
    <div className={styles.line} data-stale={isStale || undefined}>
      <ul className={classNames(styles.items, isStale && 'old-figures')}>
        {items.map(({ kind, text, exact }) => (
          <li key={kind} className={styles.item}>
            <span title={exact}>{text}</span>
            {kind === 'announcement' && data.isSimulated && (
              <>
                {' '}
                <Badge tone="warning" data-source="simulated" title="This week’s announcements are simulated">
                  simulated
                </Badge>
              </>
            )}
          </li>
        ))}
      </ul>
      {isStale && (
        <>
          <span className={styles.age}>
            <AsOf label="As of" timeMs={staleSinceMs} nowMs={nowMs} smallest="m" />
          </span>
          <span className={styles.retry}>
            <Retry isRetrying={known.isRetrying} onRetry={known.retry} />
          </span>
        </>
      )}
    </div>
  );
}
