/** Target or stop, whichever the price reaches first, or neither by the last bar. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { zonedClock } from '#domain/format/zoned-time.ts';
import { barsDuration } from '#domain/market/timeframe-text.ts';
import { barMinutesOf, type Timeframe } from '#domain/market/timeframes.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import { ChanceTable } from './chance-table.tsx';
import { sharesText, similarText } from './chance-text.ts';
import type { FirstReading } from './chances-api.ts';
import styles from './first-answer.module.css';

const NAMES = [
  ['target first', 'target'],
  ['stop first', 'stop'],
  ['neither', 'neither'],
] as const;

export function FirstAnswer({ answer, timeframe }: { answer: FirstReading; timeframe: Timeframe }) {
  const { zone } = useTimeZone();
  const minutes = barMinutesOf(timeframe);
  const endMs = (answer.firstBarEndS + (HORIZON_BARS - 1) * minutes * 60) * 1000;
  const own = sharesText(answer.target, answer.stop);
  const baseline = sharesText(answer.baseline.target, answer.baseline.stop);
  return (
    <div className="column gap-3">
      <div className="column gap-1" aria-hidden="true">
        <Shares chances={answer} />
        <Shares chances={answer.baseline} isBaseline />
      </div>
      <ChanceTable
        caption="Which comes first"
        place={`By ${zonedClock(endMs, zone)}, in ${barsDuration(HORIZON_BARS, minutes)}`}
        rows={NAMES.map(([name, mark], i) => ({ name, mark, chance: own[i] ?? '', baseline: baseline[i] ?? '' }))}
      />
      <p className="muted size-13">{similarText(answer.similar)}</p>
    </div>
  );
}

interface SharesProps {
  chances: Pick<FirstReading, 'target' | 'stop'>;
  isBaseline?: boolean;
}

/** One bar of three parts; what is neither lies between target and stop. */
function Shares({ chances: { target, stop }, isBaseline = false }: SharesProps) {
  return (
    <div className={classNames(styles.shares, isBaseline && styles.thin)}>
      <span className={styles.target} style={{ flexGrow: target }} />
      <span className={styles.neither} style={{ flexGrow: Math.max(0, 1 - target - stop) }} />
      <span className={styles.stop} style={{ flexGrow: stop }} />
    </div>
  );
}
