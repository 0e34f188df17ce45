/** By decile of the stated chance, how often it happened, with its interval. On the diagonal a chance is what it says. */
import { useState } from 'react';
import { groupedCount } from '#domain/format/count.ts';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, PlotFrame, usePlot, ValueAxis } from './frame/plot-frame.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';

export interface ReliabilityPoint {
  /** '60 to 70%' */
  place: string;
  /** Number of chances. */
  count: number;
  /** As shown for the place, and in the text alternative. */
  text: string;
  /** Mean stated chance and share that happened, per cent; null where none was recorded. */
  chance: number | null;
  happened: number | null;
  interval: readonly [number, number] | null;
}

export interface ChanceReliabilityChartProps {
  name: string;
  series: string;
  shape: PointShape;
  /** One per decile, rising. */
  points: readonly ReliabilityPoint[];
}

const HEIGHT = 280;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const TICKS = [0, 25, 50, 75, 100] as const;

export function ChanceReliabilityChart({ name, series, shape, points }: ChanceReliabilityChartProps) {
  const [index, setIndex] = useState(Math.floor(points.length / 2));
  const plot = usePlot(HEIGHT, PAD);
  const { left, right, top, bottom } = plot;
  const x = (percent: number) => left + (percent / 100) * (right - left);
  const y = (percent: number) => top + (1 - percent / 100) * (bottom - top);
  const step = 100 / Math.max(1, points.length);
  const shown = points[index];
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={`${name}: ${points.map(({ place, count, text }) => `${place} stated ${groupedCount(count)} times, happened ${text}`).join('; ')}.`}
      places={points.map((_, i) => [x(i * step), x((i + 1) * step) - x(i * step)])}
      index={index}
      onIndex={setIndex}
      place={`chances of ${shown?.place ?? ''}: ${groupedCount(shown?.count ?? 0)}, happened`}
      lines={[{ name: series, shape, text: shown?.text ?? '' }]}
    >
      <ValueAxis plot={plot} ticks={TICKS} y={y} format={String} />
      {TICKS.map((tick) => (
        <AxisLabel key={tick} plot={plot} x={x(tick)}>
          {tick}
        </AxisLabel>
      ))}
      <path d={`M${x(0)} ${y(0)}L${x(100)} ${y(100)}`} className={classNames(styles.promise, styles.diagonal)} />
      {points.map(({ place, chance, happened, interval }) => {
        if (chance === null || happened === null) return null;
        return (
          <g key={place}>
            {interval !== null && (
              <path d={`M${x(chance)} ${y(interval[0])}V${y(interval[1])}`} className={seriesClass(shape)} />
            )}
            <PointMark shape={shape} x={x(chance)} y={y(happened)} />
          </g>
        );
      })}
    </PlotFrame>
  );
}
