/** One estimate with its interval, for table cells: the rule marks zero, in the same place in all rows. */
import type { IntervalValue } from './interval-chart.tsx';
import styles from './whisker.module.css';

export interface WhiskerProps {
  value: IntervalValue;
  /** Half of the cell's span, in the value's unit: the same in all rows that are compared. */
  reach: number;
}

const WIDTH = 120;
const HEIGHT = 16;
const MIDDLE = HEIGHT / 2;

/** Hidden from assistive technology: the cell has the figures. Values beyond the reach are drawn at the edge. */
export function Whisker({ value, reach }: WhiskerProps) {
  const x = (at: number) => WIDTH / 2 + Math.max(-1, Math.min(1, at / reach)) * (WIDTH / 2 - 5);
  const [estimate, low, high] = typeof value === 'number' ? [value, value, value] : (value ?? [0, 0, 0]);
  const tone = high < 0 ? styles.worse : low > 0 ? styles.better : styles.open;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.whisker} aria-hidden="true">
      <path d={`M${WIDTH / 2} 0V${HEIGHT}`} className={styles.zero} />
      {value !== null && (
        <g className={typeof value === 'number' ? styles.open : tone}>
          {typeof value !== 'number' && <path d={`M${x(low)} ${MIDDLE}H${x(high)}`} className={styles.line} />}
          <circle cx={x(estimate)} cy={MIDDLE} r={3.5} className={styles.dot} />
        </g>
      )}
    </svg>
  );
}
