/** One prediction's outcome as text: when it will be known, its path error, or why it is not scored. */
import { zonedClock, zonedDay } from '#domain/format/zoned-time.ts';
import { describeAverage, describeClosing } from '#domain/record/messages/score-messages.ts';
import { type KnownOutcome, RETURN_WORDS, VOID_WORDS } from '#domain/record/scoring/outcome.ts';
import { useTimeZone } from '../../ui/browser/time-zone.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import styles from './outcome-text.module.css';
import type { ShownOutcome } from './use-outcomes.ts';

export interface OutcomeTextProps {
  outcome: ShownOutcome;
  /** The outcome could not be loaded. */
  hasFailed: boolean;
}

export function OutcomeText({ outcome, hasFailed }: OutcomeTextProps) {
  if (outcome === undefined) return hasFailed ? <p className={styles.words}>Its outcome could not be loaded.</p> : null;
  if (outcome === null) return <p className={styles.words}>No outcome is kept of this prediction.</p>;
  switch (outcome.state) {
    case 'known':
      return <Score outcome={outcome} />;
    case 'void':
      return (
        <p className={styles.words}>
          {VOID_WORDS[outcome.void_reason]}
          {outcome.returned_at && (
            <span className={styles.closing}> Returned: {RETURN_WORDS[outcome.void_reason]}.</span>
          )}
        </p>
      );
    case 'waiting':
      return <Waiting dueAt={outcome.due_at} />;
  }
}

function Score({ outcome: { score } }: { outcome: KnownOutcome }) {
  return (
    <div className={styles.words}>
      <p className={styles.closing}>{describeClosing(score)}</p>
      <p>{describeAverage(score)}</p>
    </div>
  );
}

const NOW_MS = 10_000;

function Waiting({ dueAt }: { dueAt: string }) {
  const { zone } = useTimeZone();
  const nowMs = useNow(NOW_MS);
  const dueMs = Date.parse(dueAt);
  if (!(dueMs > nowMs)) return <p className={styles.words}>Waiting for its outcome …</p>;
  const isToday = zonedDay(dueMs, zone) === zonedDay(nowMs, zone);
  const day = isToday ? '' : `${zonedDay(dueMs, zone)}, `;
  return (
    <p className={styles.words}>
      Outcome known at{' '}
      <time className="figures" dateTime={new Date(dueMs).toISOString()}>
        {day}
        {zonedClock(dueMs, zone)}
      </time>
    </p>
  );
}
