/** A series as a small line without axes; its words are the text alternative. */
import styles from './sparkline.module.css';

export interface SparklineProps {
  /** At least two, in order. */
  values: readonly number[];
  /** What the line shows, for screen readers. */
  label: string;
}

const [WIDTH, HEIGHT] = [72, 22];
/** Keeps the stroke inside the picture. */
const MARGIN = 1.5;

export function Sparkline({ values, label }: SparklineProps) {
  const isUp = (values.at(-1) ?? 0) >= (values[0] ?? 0);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
      className={isUp ? styles.up : styles.down}
    >
      <polyline points={pointsOf(values)} />
    </svg>
  );
}

/** Evenly spaced from left to right; the lowest value at the bottom, and one that never changes in the middle. */
export function pointsOf(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const [width, height] = [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN];
  return values
    .map((value, i) => {
      const x = MARGIN + (width * i) / (values.length - 1);
      const y = MARGIN + height * (high === low ? 0.5 : (high - value) / (high - low));
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
