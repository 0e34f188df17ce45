/** The value axis of a plot: grid lines with their numbers at the left, and the position of a value on it. */
import { formatPrice } from '#domain/format/price.ts';
import styles from './plot.module.css';
import { roundTicks } from './scale-ticks.ts';

/** CSS pixels free around the plot: for labels at the left, for the axis below. */
export const PLOT_PAD = { left: 48, right: 14, top: 14, bottom: 28 } as const;

export interface CountScale {
  ticks: readonly number[];
  y(value: number): number;
}

/** Whole numbers from 0 to the round one above `max`. @param height  of the whole picture, CSS pixels */
export function countScale(max: number, height: number): CountScale {
  const ticks = roundTicks(0, Math.max(max, 1), 4).filter(Number.isInteger);
  const top = ticks.at(-1) ?? 1;
  const plotPx = height - PLOT_PAD.top - PLOT_PAD.bottom;
  return { ticks, y: (value) => Number((PLOT_PAD.top + (1 - value / top) * plotPx).toFixed(2)) };
}

export function CountAxis({ scale, width }: { scale: CountScale; width: number }) {
  return scale.ticks.map((tick) => (
    <g key={tick}>
      <path
        d={`M${PLOT_PAD.left} ${scale.y(tick)}H${width - PLOT_PAD.right}`}
        className={tick === 0 ? styles.base : styles.grid}
      />
      <text x={PLOT_PAD.left - 8} y={scale.y(tick)} className={styles.tick} textAnchor="end" dominantBaseline="central">
        {formatPrice(tick, 0)}
      </text>
    </g>
  ));
}
