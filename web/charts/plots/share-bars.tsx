/**
 * A histogram of shares compared with an even distribution, with a text alternative, arrow keys and the figures of one
 * bar.
 */
import { useRef, useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { FigureWalk } from './frame/figure-walk.tsx';
import type { PointShape } from './frame/point-mark.tsx';
import { roundTicks } from './frame/scale-ticks.ts';
import { useWidth } from './frame/use-width.ts';
import styles from './share-bars.module.css';

export interface ShareBarsProps {
  /** What is drawn: 'Where closes fell in the bands of Lion'. */
  name: string;
  series: string;
  shape: PointShape;
  /** Name of each bar: 'lowest tenth'. */
  bars: readonly string[];
  counts: readonly number[];
}

const FALLBACK_PX = 340;
const HEIGHT = 220;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const GAP_PX = 3;
const plotPx = HEIGHT - PAD.top - PAD.bottom;

export function ShareBars({ name, series, shape, bars, counts }: ShareBarsProps) {
  const [index, setIndex] = useState(Math.floor(bars.length / 2));
  const hostRef = useRef<HTMLDivElement>(null);
  const width = useWidth(hostRef, FALLBACK_PX);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = bars.map((_, i) => (total === 0 ? 0 : (100 * (counts[i] ?? 0)) / total));
  const flat = 100 / bars.length;
  const ticks = roundTicks(0, Math.max(2 * flat, ...shares), 4);
  const top = ticks.at(-1) ?? 1;
  const y = (percent: number) => PAD.top + (1 - percent / top) * plotPx;
  const barPx = (width - PAD.left - PAD.right) / bars.length;
  const left = (bar: number) => PAD.left + bar * barPx;
  return (
    <div ref={hostRef} className={styles.chart}>
      <svg width={width} height={HEIGHT} role="img" aria-label={wordsOf(name, bars, shares)}>
        <rect x={left(index)} y={PAD.top} width={barPx} height={plotPx} className={styles.here} />
        {ticks.map((tick) => (
          <g key={tick}>
            <path d={`M${PAD.left} ${y(tick)}H${width - PAD.right}`} className={styles.grid} />
            <text x={PAD.left - 6} y={y(tick)} className={styles.tick} textAnchor="end" dominantBaseline="central">
              {formatPrice(tick, 0)}
            </text>
          </g>
        ))}
        {shares.map((share, i) => (
          <rect
            key={bars[i]}
            x={left(i) + GAP_PX / 2}
            y={y(share)}
            width={Math.max(1, barPx - GAP_PX)}
            height={Math.max(0, y(0) - y(share))}
            className={styles.bar}
          />
        ))}
        <path d={`M${PAD.left} ${y(flat)}H${width - PAD.right}`} className={styles.promise} />
        <text x={left(0) + 2} y={HEIGHT - 8} className={styles.tick}>
          0
        </text>
        <text x={left(bars.length / 2)} y={HEIGHT - 8} className={styles.tick} textAnchor="middle">
          50
        </text>
        <text x={left(bars.length)} y={HEIGHT - 8} className={styles.tick} textAnchor="end">
          100
        </text>
        {bars.map((bar, i) => (
          <rect
            key={bar}
            x={left(i)}
            y={0}
            width={barPx}
            height={HEIGHT}
            className={styles.hit}
            onPointerEnter={() => setIndex(i)}
            onPointerDown={() => setIndex(i)}
          />
        ))}
      </svg>
      <FigureWalk
        name={name}
        count={bars.length}
        index={index}
        onIndex={setIndex}
        place={bars[index] ?? ''}
        lines={[{ name: series, shape, text: `${formatPrice(shares[index] ?? 0, 1)} of 100 (even: ${flat})` }]}
      />
    </div>
  );
}

/** The text alternative: every bar with its share. */
function wordsOf(name: string, bars: readonly string[], shares: readonly number[]): string {
  const figures = bars.map((bar, i) => `${bar} ${formatPrice(shares[i] ?? 0, 1)}`);
  return `${name}, of 100; even would be ${formatPrice(100 / bars.length, 0)} each: ${figures.join(', ')}.`;
}
