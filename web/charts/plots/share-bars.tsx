/** A histogram of shares compared with an even distribution. */
import { useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, PlotFrame, usePlot, ValueAxis } from './frame/plot-frame.tsx';
import type { PointShape } from './frame/point-mark.tsx';
import { roundTicks } from './frame/scale-ticks.ts';

export interface ShareBarsProps {
  name: string;
  series: string;
  shape: PointShape;
  /** Name of each bar: 'lowest tenth'. */
  bars: readonly string[];
  counts: readonly number[];
}

const HEIGHT = 220;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const GAP_PX = 3;

export function ShareBars({ name, series, shape, bars, counts }: ShareBarsProps) {
  const [index, setIndex] = useState(Math.floor(bars.length / 2));
  const plot = usePlot(HEIGHT, PAD);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = bars.map((_, i) => (total === 0 ? 0 : (100 * (counts[i] ?? 0)) / total));
  const flat = 100 / bars.length;
  const ticks = roundTicks(0, Math.max(2 * flat, ...shares), 4);
  const highest = ticks.at(-1) ?? 1;
  const y = (percent: number) => plot.top + (1 - percent / highest) * (plot.bottom - plot.top);
  const barPx = (plot.right - plot.left) / bars.length;
  const left = (bar: number) => plot.left + bar * barPx;
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeBars(name, bars, shares)}
      places={bars.map((_, i) => [left(i), barPx])}
      index={index}
      onIndex={setIndex}
      place={bars[index] ?? ''}
      lines={[{ name: series, shape, text: `${formatPrice(shares[index] ?? 0, 1)} of 100 (uniform: ${flat})` }]}
    >
      <ValueAxis plot={plot} ticks={ticks} y={y} format={(tick) => formatPrice(tick, 0)} />
      {shares.map((share, i) => (
        <rect
          key={bars[i]}
          x={left(i) + GAP_PX / 2}
          y={y(share)}
          width={Math.max(1, barPx - GAP_PX)}
          height={Math.max(0, y(0) - y(share))}
          className={styles.share}
        />
      ))}
      <path d={`M${plot.left} ${y(flat)}H${plot.right}`} className={styles.promise} />
      <AxisLabel plot={plot} x={left(0) + 2} anchor="start">
        0
      </AxisLabel>
      <AxisLabel plot={plot} x={left(bars.length / 2)}>
        50
      </AxisLabel>
      <AxisLabel plot={plot} x={left(bars.length)} anchor="end">
        100
      </AxisLabel>
    </PlotFrame>
  );
}

function describeBars(name: string, bars: readonly string[], shares: readonly number[]): string {
  const figures = bars.map((bar, i) => `${bar} ${formatPrice(shares[i] ?? 0, 1)}`);
  return `${name}, out of 100; uniform would be ${formatPrice(100 / bars.length, 0)} each: ${figures.join(', ')}.`;
}
