/** Estimates with their intervals, column by column: points with whiskers around a line at zero. */
import { useState } from 'react';
import { skillText } from '#domain/forecast/figures/figure-messages.ts';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { AxisLabel, type Plot, PlotFrame, usePlot, ValueAxis } from './frame/plot-frame.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';
import { roundTicks, tickDecimals } from './frame/scale-ticks.ts';

export interface IntervalSeries {
  name: string;
  shape: PointShape;
  /** Per cent, one per column: a bare number without an interval, null where nothing was measured. */
  values: readonly IntervalValue[];
}

export type IntervalValue = Interval | number | null;

export interface IntervalChartProps {
  name: string;
  /** A short label for the axis and a long one for the text: ['10', 'at 10 minutes']. */
  columns: readonly (readonly [string, string])[];
  series: readonly IntervalSeries[];
  /** Index of the column whose figures are shown until another is chosen. */
  restingIndex: number;
}

const HEIGHT = 200;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const SERIES_STEP_PX = 11;

export function IntervalChart({ name, columns, series, restingIndex }: IntervalChartProps) {
  const [index, setIndex] = useState(restingIndex);
  const plot = usePlot(HEIGHT, PAD);
  const scale = scaleOf(series, plot);
  const columnPx = (plot.right - plot.left) / columns.length;
  const centre = (column: number) => plot.left + (column + 0.5) * columnPx;
  const place = columns[index]?.[1] ?? '';
  const lines = series.map((one) => ({ name: one.name, shape: one.shape, text: intervalText(one.values[index]) }));
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeIntervals(name, columns, series)}
      places={columns.map((_, column) => [centre(column) - columnPx / 2, columnPx])}
      index={index}
      onIndex={setIndex}
      place={place}
      lines={lines}
    >
      <ValueAxis
        plot={plot}
        ticks={scale.ticks}
        y={scale.y}
        format={(tick) => formatPrice(tick, scale.decimals)}
        hasZero
      />
      {columns.map(([label], column) => (
        <AxisLabel key={label} plot={plot} x={centre(column)}>
          {label}
        </AxisLabel>
      ))}
      {series.map((one, s) =>
        one.values.map((value, column) => {
          if (value === null) return null;
          const [estimate, low, high] = typeof value === 'number' ? [value, value, value] : value;
          const x = centre(column) + (s - (series.length - 1) / 2) * SERIES_STEP_PX;
          return (
            <g key={columns[column]?.[0]}>
              {typeof value !== 'number' && (
                <path
                  d={`M${x} ${scale.y(low)}V${scale.y(high)}M${x - 3} ${scale.y(low)}h6M${x - 3} ${scale.y(high)}h6`}
                  className={seriesClass(one.shape)}
                />
              )}
              <PointMark shape={one.shape} x={x} y={scale.y(estimate)} />
            </g>
          );
        }),
      )}
    </PlotFrame>
  );
}

/** Minimum span of the axis, per cent: with less, all of its labels would read the same. */
const LEAST_SPAN = 0.04;

function scaleOf(series: readonly IntervalSeries[], { top, bottom }: Plot) {
  const all = series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const room = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  const ticks = roundTicks(low - room, high + room, 4);
  const [min, max] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    ticks,
    decimals: tickDecimals(ticks),
    y: (value: number) => Number((top + ((max - value) / (max - min)) * (bottom - top)).toFixed(2)),
  };
}

function intervalText(value: IntervalValue | undefined): string {
  if (value == null) return 'not measured';
  return typeof value === 'number' ? `${percentChange(value)}, no interval yet` : skillText(value);
}

function describeIntervals(
  name: string,
  columns: IntervalChartProps['columns'],
  series: readonly IntervalSeries[],
): string {
  const parts = series.map((one) => {
    const figures = columns.map(([, place], column) => `${place} ${intervalText(one.values[column])}`);
    return `${one.name}: ${figures.join(', ')}.`;
  });
  return `${name}, in percent with 95% intervals. ${parts.join(' ')}`;
}
