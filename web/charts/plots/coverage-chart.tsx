/** How often closes fell inside a band, row by row, compared with the band's target and its tolerance. */
import { useState } from 'react';
import { coverageText } from '#domain/forecast/figures/figure-messages.ts';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, type Plot, PlotFrame, usePlot } from './frame/plot-frame.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';
import { roundTicks, tickDecimals } from './frame/scale-ticks.ts';

export interface CoverageSeries {
  name: string;
  shape: PointShape;
  /** Per cent of closes inside, one per row, with the interval if known; null where nothing was measured. */
  values: readonly (number | Interval | null)[];
}

export interface CoverageChartProps {
  name: string;
  rows: readonly string[];
  series: readonly CoverageSeries[];
  /** The band's target coverage, per cent. */
  target: number;
  /** Points on either side of the target that still count as met. */
  tolerance: number;
}

const ROW_PX = 30;
const PAD = { left: 124, right: 18, top: 8, bottom: 26 };
const SERIES_STEP_PX = 8.5;

export function CoverageChart({ name, rows, series, target, tolerance }: CoverageChartProps) {
  const [index, setIndex] = useState(0);
  const plot = usePlot(PAD.top + rows.length * ROW_PX + PAD.bottom, PAD);
  const { top, bottom } = plot;
  const scale = scaleOf(series, target, tolerance, plot);
  const middle = (row: number) => top + (row + 0.5) * ROW_PX;
  const lines = series.map((one) => ({ name: one.name, shape: one.shape, text: cellText(one.values[index], target) }));
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeCoverage(name, rows, series, target)}
      places={rows.map((_, r) => [top + r * ROW_PX, ROW_PX])}
      isDown
      index={index}
      onIndex={setIndex}
      place={`${rows[index] ?? ''}, out of 100 closes`}
      lines={lines}
    >
      <rect
        x={scale.x(target - tolerance)}
        y={top}
        width={scale.x(target + tolerance) - scale.x(target - tolerance)}
        height={bottom - top}
        className={styles.tolerance}
      />
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${scale.x(tick)} ${top}V${bottom}`} className={styles.grid} />
          <AxisLabel plot={plot} x={scale.x(tick)}>
            {formatPrice(tick, scale.decimals)}
          </AxisLabel>
        </g>
      ))}
      <path d={`M${scale.x(target)} ${top}V${bottom}`} className={styles.rule} />
      {rows.map((row, r) => (
        <text key={row} x={12} y={middle(r)} className={styles.row} dominantBaseline="central">
          {row}
        </text>
      ))}
      {series.map((one, s) =>
        one.values.map((value, r) => {
          if (value === null) return null;
          const y = middle(r) + (s - (series.length - 1) / 2) * SERIES_STEP_PX;
          const estimate = typeof value === 'number' ? value : value[0];
          return (
            <g key={rows[r]}>
              {typeof value !== 'number' && (
                <path d={`M${scale.x(value[1])} ${y}H${scale.x(value[2])}`} className={seriesClass(one.shape)} />
              )}
              <PointMark shape={one.shape} x={scale.x(estimate)} y={y} />
            </g>
          );
        }),
      )}
    </PlotFrame>
  );
}

function scaleOf(series: readonly CoverageSeries[], target: number, tolerance: number, { left, right }: Plot) {
  const all = series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const gaps = Math.max(2, ...all.map((value) => Math.ceil(Math.abs(value - target) / tolerance)));
  const ticks = roundTicks(target - gaps * tolerance, Math.min(100, target + gaps * tolerance), 4);
  const [min, max] = [ticks[0] ?? 0, ticks.at(-1) ?? 100];
  return {
    ticks,
    decimals: tickDecimals(ticks),
    x: (value: number) => Number((left + ((value - min) / (max - min)) * (right - left)).toFixed(2)),
  };
}

function cellText(value: number | Interval | null | undefined, target: number): string {
  if (value == null) return 'not measured';
  if (typeof value === 'number') return formatPrice(value, 1);
  return coverageText(value, target);
}

function describeCoverage(
  name: string,
  rows: readonly string[],
  series: readonly CoverageSeries[],
  target: number,
): string {
  const parts = series.map((one) => {
    const figures = rows.map((row, r) => `${row} ${cellText(one.values[r], target)}`);
    return `${one.name}: ${figures.join(', ')}.`;
  });
  return `${name}, out of 100; the target is ${target}. ${parts.join(' ')}`;
}
