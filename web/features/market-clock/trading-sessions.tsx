/** Trading Sessions: the viewer's day from midnight to midnight, with the sessions open now. */
import { zonedClock, zoneName } from '#domain/format/zoned-time.ts';
import type { TradingSession } from '#domain/market/calendar/sessions.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge, type BadgeTone } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import type { LastData } from '../../ui/status/last-data.ts';
import { LastDataNote } from '../../ui/status/last-data-note.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { ErrorState } from '../../ui/status/state.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { blocksOf, formatClock, formatHour, formatHours, viewerHours } from './session-blocks.ts';
import styles from './trading-sessions.module.css';
import { CLOCK_MS, useSessions } from './use-market-clock.ts';

/** Narrow screens hide every second one. */
const LABELLED_HOURS = Array.from({ length: 12 }, (_, i) => 2 * i);
const LANES = 4;

const TONES: Readonly<Record<TradingSession['status'], BadgeTone>> = {
  Open: 'up',
  Closed: 'neutral',
  'Closed (Holiday)': 'warning',
};
const BLOCKS: Readonly<Record<TradingSession['status'], string | undefined>> = {
  Open: styles.open,
  Closed: undefined,
  'Closed (Holiday)': styles.holiday,
};

export function TradingSessions({ className }: { className?: string | undefined }) {
  const nowMs = useNow(CLOCK_MS);
  const sessions = useSessions(nowMs);
  return (
    <Panel heading="Trading Sessions" className={className}>
      <div className={styles.room}>
        <Shown sessions={sessions} nowMs={nowMs} />
      </div>
    </Panel>
  );
}

function Shown({ sessions, nowMs }: { sessions: LastData<TradingSession[]>; nowMs: number }) {
  const { zone } = useTimeZone();
  if (sessions.data !== null) {
    return (
      <>
        <Timeline sessions={sessions.data} nowMs={nowMs} zone={zone} isStale={sessions.staleSinceMs !== null} />
        <LastDataNote lastData={sessions} nowMs={nowMs}>
          {`Times in ${formatZone(nowMs, zone)}`}
        </LastDataNote>
      </>
    );
  }
  if (sessions.failure !== null)
    return (
      <div className="grid align-center flex-1">
        <ErrorState
          title="Trading Sessions didn't load."
          text={sessions.failure}
          onRetry={sessions.retry}
          isRetrying={sessions.isRetrying}
        />
      </div>
    );
  return <Waiting />;
}

function Timeline({
  sessions,
  nowMs,
  zone,
  isStale,
}: {
  sessions: readonly TradingSession[];
  nowMs: number;
  zone: string;
  isStale: boolean;
}) {
  const [hour, minute] = zonedClock(nowMs, zone).split(':').map(Number);
  const nowHour = (hour ?? 0) + (minute ?? 0) / 60;
  const clock = formatClock(nowMs, zone);
  const lanes = sessions.map((session) => ({ session, hours: viewerHours(session, nowMs, zone) }));
  return (
    <div className={classNames('column flex-1', isStale && 'old-figures')} data-stale={isStale || undefined}>
      <p className="visually-hidden">{`It is ${clock}.`}</p>
      <div className={styles.axis} aria-hidden="true">
        {LABELLED_HOURS.map((hour) => (
          <span key={hour} className={styles.label} data-hour={hour} style={{ left: share(hour) }}>
            <HourLabel hour={hour} />
          </span>
        ))}
      </div>
      <ul className={styles.lanes}>
        {lanes.map(({ session, hours }) => (
          <li key={session.session} className={styles.lane}>
            <div className={styles.body}>
              <span className="weight-500">{session.session}</span>{' '}
              <Badge tone={TONES[session.status]}>{session.status}</Badge>{' '}
              <span className={styles.hours}>{formatHours(hours)}</span>
            </div>
            <div className={styles.track} aria-hidden="true">
              {blocksOf(hours).map(({ startHour, endHour }, i, { length }) => (
                <span
                  key={startHour}
                  className={classNames(
                    styles.session,
                    BLOCKS[session.status],
                    length === 2 && (i === 0 ? styles.fromBefore : styles.goesOn),
                  )}
                  data-session={session.session}
                  style={{ left: share(startHour), width: share(endHour - startHour) }}
                />
              ))}
              <span className={styles.now} style={{ left: share(nowHour) }} />
            </div>
          </li>
        ))}
      </ul>
      <div className={classNames(styles.foot, 'figures')} aria-hidden="true">
        <span className={styles.clock} style={{ left: `clamp(32px, ${share(nowHour)}, 100% - 32px)` }}>
          {clock}
        </span>
      </div>
    </div>
  );
}

/** '12 AM' with a small AM or PM, because twelve labels share the line. */
function HourLabel({ hour }: { hour: number }) {
  const [clock, half] = formatHour(hour).split(' ');
  return (
    <>
      {clock} <small>{half}</small>
    </>
  );
}

function Waiting() {
  return (
    <div className="column flex-1" role="status" aria-label="Loading trading sessions">
      <div className={styles.axis} />
      <div className={styles.lanes}>
        {Array.from({ length: LANES }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={i} className={styles.lane}>
            <Skeleton className={styles.waitingText} />
            <Skeleton className={styles.waitingTrack} />
          </div>
        ))}
      </div>
      <div className={styles.foot} />
    </div>
  );
}

function share(hours: number): string {
  return `${(hours / 24) * 100}%`;
}

/** 'Europe/Berlin, GMT+1'; just 'UTC' where both are the same. */
function formatZone(nowMs: number, zone: string): string {
  return [...new Set([zone.replaceAll('_', ' '), zoneName(nowMs, zone)])].join(', ');
}
