/** The countdown to 1 August 2025; once it is over, one line with its flag. */
import { useId } from 'react';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { COUNTDOWN_TARGET_MS, countdownAt, type Countdown as Left, spokenCountdown } from '#domain/site/countdown.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './countdown.module.css';

const SECOND_MS = 1000;

export function Countdown({ className }: { className?: string | undefined }) {
  const left = countdownAt(useNow(SECOND_MS));
  const { zone } = useTimeZone();
  const headingId = useId();
  const { isDone } = left;
  return (
    <section aria-labelledby={headingId} className={classNames('card min-width-0', className)}>
      <div className={styles.head}>
        <h2 id={headingId} className="size-14">
          Countdown
        </h2>
        {/* There from the start, so that its change is announced. */}
        <span role="status" data-done={isDone}>
          {isDone && <Badge tone="up">Done</Badge>}
        </span>
        <p className={styles.when}>
          {isDone ? 'Ended' : 'Until'}{' '}
          <time dateTime={new Date(COUNTDOWN_TARGET_MS).toISOString()}>{zonedMinute(COUNTDOWN_TARGET_MS, zone)}</time>
        </p>
      </div>
      {!isDone && (
        <div role="timer" className={styles.body}>
          <Figures left={left} />
          <span className="visually-hidden">{`${spokenCountdown(left)} left.`}</span>
        </div>
      )}
    </section>
  );
}

/** Hidden from screen readers, which would announce every second. */
function Figures({ left: { days, hours, minutes, seconds } }: { left: Left }) {
  const parts = [
    [String(days), 'd'],
    [twoDigits(hours), 'h'],
    [twoDigits(minutes), 'min'],
    [twoDigits(seconds), 's'],
  ] as const;
  return (
    <p className={styles.parts} aria-hidden="true">
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
