/** A gauge with a needle: how far something leans to one side or the other. Its text says the same as the picture. */
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './gauge.module.css';

export interface GaugeProps {
  name: string;
  /** Degrees from upright, positive to the right; null while unknown, which draws no needle. */
  angle: number | null;
  /** Degrees to either side: the width of the scale and the limit of the needle. */
  max: number;
  left: string;
  right: string;
  description: string;
}

const CENTRE = { x: 100, y: 96 };
const RADIUS = 82;
/** The middle third is neutral. */
const NEUTRAL = 1 / 3;

export function Gauge({ name, angle, max, left, right, description }: GaugeProps) {
  const needle = angle === null ? null : Math.round(Math.min(max, Math.max(-max, angle)) * 100) / 100;
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 200 106" role="img" aria-label={`${name}: ${description}`} className={styles.picture}>
        <path d={arc(-max, -max * NEUTRAL)} className={styles.left} />
        <path d={arc(-max * NEUTRAL, max * NEUTRAL)} className={styles.middle} />
        <path d={arc(max * NEUTRAL, max)} className={styles.right} />
        <path d={`M${CENTRE.x} ${CENTRE.y - RADIUS + 9}v8`} className={styles.upright} />
        {needle !== null && (
          <g data-angle={needle} transform={`rotate(${needle} ${CENTRE.x} ${CENTRE.y})`} className={styles.needle}>
            <path d={`M${CENTRE.x - 3} ${CENTRE.y}L${CENTRE.x} ${CENTRE.y - 68}L${CENTRE.x + 3} ${CENTRE.y}Z`} />
          </g>
        )}
        <circle cx={CENTRE.x} cy={CENTRE.y} r="6" className={styles.hub} />
      </svg>
      {/* Beside the hub, unless the scale reaches down to it. */}
      <p className={classNames(styles.ends, max > 80 && styles.below)} aria-hidden="true">
        <span>{left}</span>
        <span>{right}</span>
      </p>
    </div>
  );
}

function arc(from: number, to: number): string {
  const [start, end] = [pointAt(from), pointAt(to)];
  return `M${start} A${RADIUS} ${RADIUS} 0 0 1 ${end}`;
}

function pointAt(degrees: number): string {
  const radians = (degrees / 180) * Math.PI;
  const x = CENTRE.x + RADIUS * Math.sin(radians);
  const y = CENTRE.y - RADIUS * Math.cos(radians);
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}
