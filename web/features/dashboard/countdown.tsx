/** The countdown to 1 August 2025, with its flag once it is over. */
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { COUNTDOWN_TARGET_MS, countdownAt, type Countdown as Left, spokenCountdown } from '#domain/site/countdown.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { Panel } from '../../ui/layout/panel.tsx';
import styles from './countdown.module.css';

const SECOND_MS = 1000;

export function Countdown({ className }: { className?: string | undefined }) {
  const left = countdownAt(useNow(SECOND_MS));
  const { zone } = useTimeZone();
  const { isDone } = left;
  return (
    <Panel
      heading="Countdown"
      className={className}
      beside={
        <span role="status" data-done={isDone}>
          {isDone && <Badge tone="up">Done</Badge>}
        </span>
      }
    >
      <div role="timer">
        <Figures left={left} />
        <span className="visually-hidden">{isDone ? 'Time’s up.' : `${spokenCountdown(left)} left.`}</span>
      </div>
      <p className="muted size-13 margin-top-2">
        {isDone ? 'Ended' : 'Until'}{' '}
        <time dateTime={new Date(COUNTDOWN_TARGET_MS).toISOString()}>{zonedMinute(COUNTDOWN_TARGET_MS, zone)}</time>
      </p>
    </Panel>
  );
}

/** Hidden from screen readers, which would announce every second. */
function Figures({ left: { days, hours, minutes, seconds, isDone } }: { left: Left }) {
  const parts = [
    [String(days), 'd'],
    [twoDigits(hours), 'h'],
    [twoDigits(minutes), 'min'],
    [twoDigits(seconds), 's'],
  ] as const;
  return (
    <p className={styles.parts} aria-hidden="true" data-over={isDone || undefined}>
      {parts.map(([figure, unit]) => (
        <span key={unit} className={styles.part}>
          <span className="figures">{figure}</span> <small>{unit}</small>
        </span>
      ))}
    </p>
  );
}

function twoDigits(figure: number): string {
  return String(figure).padStart(2, '0');
}
