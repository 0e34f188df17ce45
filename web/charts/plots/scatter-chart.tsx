/** Points of two series over whole steps. A series is one path, so that a thousand points cost no more than one. */
import { useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, COUNT_PAD, CountAxis, countScale, PlotFrame, usePlot } from './frame/plot-frame.tsx';

export interface ScatterSeries {
  name: string;
  shape: 'circle' | 'square';
  points: readonly { x: number; y: number }[];
}

export interface ScatterChartProps {
  name: string;
  /** Label of the axis: 'days of the period'. */
  axis: string;
  /** The axis runs from 0 to this value. */
  maxX: number;
  /** Text of one step: 'day 12'. */
  placeText: (x: number) => string;
  /** Unit of a value: 'left'. */
  unit: string;
  series: readonly ScatterSeries[];
  height: number;
}

const FALLBACK_PX = 480;
const X_STEP = 5;
/** Half of a mark. */
const MARK_PX = 3;

export function ScatterChart({ name, axis, maxX, placeText, unit, series, height }: ScatterChartProps) {
  const [index, setIndex] = useState(() => firstStep(series));
  const plot = usePlot(height, COUNT_PAD, FALLBACK_PX);
  const scale = countScale(Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y)), 0), plot);
  const step = (plot.right - plot.left) / (maxX + 1);
  const toX = (x: number) => Number((plot.left + (x + 0.5) * step).toFixed(2));
  const steps = Array.from({ length: maxX + 1 }, (_, x) => x);
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeScatter(name, axis, maxX, series, unit)}
      places={steps.map((x) => [toX(x) - step / 2, step])}
      index={index}
      onIndex={setIndex}
      place={placeText(index)}
      lines={series.map((one) => ({ name: one.name, shape: one.shape, text: stepText(one, index, unit) }))}
      isTall
    >
      <CountAxis plot={plot} scale={scale} />
      {steps
        .filter((x) => x % X_STEP === 0)
        .map((x) => (
          <AxisLabel key={x} plot={plot} x={toX(x)}>
            {x}
          </AxisLabel>
        ))}
      {series.map(({ name: of, shape, points }) => (
        <path
          key={of}
          d={points.map(({ x, y }) => MARKS[shape](toX(x), scale.y(y))).join('')}
          className={styles[shape]}
          data-points={points.length}
        />
      ))}
    </PlotFrame>
  );
}

const MARKS = {
  circle: (x: number, y: number) =>
    `M${x - MARK_PX} ${y}a${MARK_PX} ${MARK_PX} 0 1 0 6 0a${MARK_PX} ${MARK_PX} 0 1 0-6 0`,
  square: (x: number, y: number) => `M${x - MARK_PX} ${y - MARK_PX}h6v6h-6z`,
} as const;

function firstStep(series: readonly ScatterSeries[]): number {
  const all = series.flatMap(({ points }) => points.map(({ x }) => Math.round(x)));
  return all.length === 0 ? 0 : Math.min(...all);
}

function stepText({ points }: ScatterSeries, x: number, unit: string): string {
  const values = points.filter((point) => Math.round(point.x) === x).map(({ y }) => y);
  if (values.length === 0) return 'none';
  return `${rangeText(values)} ${unit}`;
}

function rangeText(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => formatPrice(value, 0));
  return low === high ? `${low}` : `${low} to ${high}`;
}

function describeScatter(
  name: string,
  axis: string,
  maxX: number,
  series: readonly ScatterSeries[],
  unit: string,
): string {
  const parts = series.map(({ name: of, points }) => {
    if (points.length === 0) return `${of}: none.`;
    return `${of}: ${points.length} ${points.length === 1 ? 'point' : 'points'}, ${rangeText(points.map(({ y }) => y))} ${unit}.`;
  });
  return `${name} by ${axis}, 0 to ${maxX}. ${parts.join(' ')}`;
}
