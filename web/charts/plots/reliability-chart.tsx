/**
 * Promised against observed: for each quantile level, the share of closes at or below it. On the diagonal the band is
 * calibrated; the arrow keys and the text alternative give the values in between.
 */
import { useRef, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { FigureWalk } from './frame/figure-walk.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';
import { useWidth } from './frame/use-width.ts';
import styles from './reliability-chart.module.css';

export interface ReliabilityChartProps {
  /** What is drawn: 'Reliability of Lion'. */
  name: string;
  series: string;
  shape: PointShape;
  /** Per cent, ascending, between 0 and 100: what each quantile promises. */
  levels: readonly number[];
  /** Observed per cent of closes at or below it, one per level. */
  kept: readonly number[];
}

const FALLBACK_PX = 340;
const HEIGHT = 220;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const TICKS = [0, 25, 50, 75, 100] as const;
const plotPx = HEIGHT - PAD.top - PAD.bottom;

export function ReliabilityChart({ name, series, shape, levels, kept }: ReliabilityChartProps) {
  const [index, setIndex] = useState(Math.floor(levels.length / 2));
  const hostRef = useRef<HTMLDivElement>(null);
  const width = useWidth(hostRef, FALLBACK_PX);
  const x = (percent: number) => PAD.left + (percent / 100) * (width - PAD.left - PAD.right);
  const y = (percent: number) => PAD.top + (1 - percent / 100) * plotPx;
  const level = levels[index] ?? 0;
  const line = levels.map((at, i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${y(kept[i] ?? 0)}`).join('');
  const text = `${formatPrice(kept[index] ?? 0, 1)} of 100`;
  return (
    <div ref={hostRef} className={styles.chart}>
      <svg width={width} height={HEIGHT} role="img" aria-label={wordsOf(name, levels, kept)}>
        {TICKS.map((tick) => (
          <g key={tick}>
            <path d={`M${PAD.left} ${y(tick)}H${width - PAD.right}`} className={styles.grid} />
            <text x={PAD.left - 6} y={y(tick)} className={styles.tick} textAnchor="end" dominantBaseline="central">
              {tick}
            </text>
            <text x={x(tick)} y={HEIGHT - 8} className={styles.tick} textAnchor="middle">
              {tick}
            </text>
          </g>
        ))}
        <path d={`M${x(0)} ${y(0)}L${x(100)} ${y(100)}`} className={styles.promise} />
        <path d={`M${x(level)} ${PAD.top}V${HEIGHT - PAD.bottom}`} className={styles.here} />
        <path d={line} className={seriesClass(shape)} />
        {levels.map((at, i) => (
          <PointMark key={at} shape={shape} x={x(at)} y={y(kept[i] ?? 0)} />
        ))}
        {levels.map((at, i) => (
          <rect
            key={at}
            x={x(((levels[i - 1] ?? 0) + at) / 2)}
            y={0}
            width={Math.max(1, x((at + (levels[i + 1] ?? 100)) / 2) - x(((levels[i - 1] ?? 0) + at) / 2))}
            height={HEIGHT}
            className={styles.hit}
            onPointerEnter={() => setIndex(i)}
            onPointerDown={() => setIndex(i)}
          />
        ))}
      </svg>
      <FigureWalk
        name={name}
        count={levels.length}
        index={index}
        onIndex={setIndex}
        place={`promised: ${level} of 100 closes at or below`}
        lines={[{ name: series, shape, text }]}
      />
    </div>
  );
}

/** The text alternative: every level with its observed share. */
function wordsOf(name: string, levels: readonly number[], kept: readonly number[]): string {
  const figures = levels.map((level, i) => `${level} promised, ${formatPrice(kept[i] ?? 0, 1)} came`);
  return `${name}, of 100 closes at or below each level: ${figures.join('; ')}.`;
}
