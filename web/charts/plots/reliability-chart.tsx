/** For each quantile level, the share of closes at or below it. On the diagonal the band is calibrated. */
import { useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, PlotFrame, usePlot, ValueAxis } from './frame/plot-frame.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';

export interface ReliabilityChartProps {
  name: string;
  series: string;
  shape: PointShape;
  /** Per cent, ascending, between 0 and 100: what each quantile promises. */
  levels: readonly number[];
  /** Observed per cent of closes at or below it, one per level. */
  observed: readonly number[];
}

const HEIGHT = 220;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const TICKS = [0, 25, 50, 75, 100] as const;

export function ReliabilityChart({ name, series, shape, levels, observed }: ReliabilityChartProps) {
  const [index, setIndex] = useState(Math.floor(levels.length / 2));
  const plot = usePlot(HEIGHT, PAD);
  const { left, right, top, bottom } = plot;
  const x = (percent: number) => left + (percent / 100) * (right - left);
  const y = (percent: number) => top + (1 - percent / 100) * (bottom - top);
  // A place reaches half way to its neighbours.
  const places = levels.map((at, i) => {
    const from = x(((levels[i - 1] ?? 0) + at) / 2);
    return [from, Math.max(1, x((at + (levels[i + 1] ?? 100)) / 2) - from)] as const;
  });
  const level = levels[index] ?? 0;
  const line = levels.map((at, i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${y(observed[i] ?? 0)}`).join('');
  const text = `${formatPrice(observed[index] ?? 0, 1)} of 100`;
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeReliability(name, levels, observed)}
      places={places}
      hasMark={false}
      index={index}
      onIndex={setIndex}
      place={`forecast: ${level} of 100 closes at or below`}
      lines={[{ name: series, shape, text }]}
    >
      <ValueAxis plot={plot} ticks={TICKS} y={y} format={String} />
      {TICKS.map((tick) => (
        <AxisLabel key={tick} plot={plot} x={x(tick)}>
          {tick}
        </AxisLabel>
      ))}
      <path d={`M${x(0)} ${y(0)}L${x(100)} ${y(100)}`} className={classNames(styles.promise, styles.diagonal)} />
      <path d={`M${x(level)} ${top}V${bottom}`} className={styles.level} />
      <path d={line} className={seriesClass(shape)} />
      {levels.map((at, i) => (
        <PointMark key={at} shape={shape} x={x(at)} y={y(observed[i] ?? 0)} />
      ))}
    </PlotFrame>
  );
}

function describeReliability(name: string, levels: readonly number[], observed: readonly number[]): string {
  const figures = levels.map((level, i) => `${level} forecast, ${formatPrice(observed[i] ?? 0, 1)} actual`);
  return `${name}, closes out of 100 at or below each level: ${figures.join('; ')}.`;
}
