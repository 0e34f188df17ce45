/**
 * Estimates with their intervals, column by column: points with whiskers around a line at zero. It has a text
 * alternative, a slider for the arrow keys and the figures of one column, so nothing needs a pointer.
 */
import { useRef, useState } from 'react';
import { percentText, skillText } from '#domain/forecast/figures/figure-messages.ts';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import { FigureWalk } from './frame/figure-walk.tsx';
import { PointMark, type PointShape, seriesClass } from './frame/point-mark.tsx';
import { roundTicks, tickDecimals } from './frame/scale-ticks.ts';
import { useWidth } from './frame/use-width.ts';
import styles from './interval-chart.module.css';

export interface IntervalSeries {
  name: string;
  shape: PointShape;
  /** Per cent, one per column: a bare number without an interval, null where nothing was measured. */
  values: readonly IntervalValue[];
}

export type IntervalValue = Interval | number | null;

export interface IntervalChartProps {
  /** What is drawn: 'Skill over HAR by horizon'. */
  name: string;
  /** A short label for the axis and a long one for the text: ['10', 'at 10 minutes']. */
  columns: readonly (readonly [string, string])[];
  series: readonly IntervalSeries[];
  /** Index of the column whose figures are shown until another is chosen. */
  restingIndex: number;
}

const FALLBACK_PX = 340;
const HEIGHT = 200;
const PAD = { left: 52, right: 14, top: 12, bottom: 28 };
const SERIES_STEP_PX = 11;

export function IntervalChart({ name, columns, series, restingIndex }: IntervalChartProps) {
  const [index, setIndex] = useState(restingIndex);
  const hostRef = useRef<HTMLDivElement>(null);
  const width = useWidth(hostRef, FALLBACK_PX);
  const scale = scaleOf(series);
  const columnPx = (width - PAD.left - PAD.right) / columns.length;
  const centre = (column: number) => PAD.left + (column + 0.5) * columnPx;
  const place = columns[index]?.[1] ?? '';
  const lines = series.map((one) => ({ name: one.name, shape: one.shape, text: intervalText(one.values[index]) }));
  return (
    <div ref={hostRef} className={styles.chart}>
      <svg width={width} height={HEIGHT} role="img" aria-label={wordsOf(name, columns, series)}>
        <rect x={centre(index) - columnPx / 2} y={PAD.top} width={columnPx} height={plotPx} className={styles.here} />
        {scale.ticks.map((tick) => (
          <g key={tick}>
            <path
              d={`M${PAD.left} ${scale.y(tick)}H${width - PAD.right}`}
              className={tick === 0 ? styles.zero : styles.grid}
            />
            <text
              x={PAD.left - 6}
              y={scale.y(tick)}
              className={styles.tick}
              textAnchor="end"
              dominantBaseline="central"
            >
              {formatPrice(tick, scale.decimals)}
            </text>
          </g>
        ))}
        {columns.map(([label], column) => (
          <text key={label} x={centre(column)} y={HEIGHT - 8} className={styles.tick} textAnchor="middle">
            {label}
          </text>
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
        {columns.map(([label], column) => (
          <rect
            key={label}
            x={centre(column) - columnPx / 2}
            y={0}
            width={columnPx}
            height={HEIGHT}
            className={styles.target}
            onPointerEnter={() => setIndex(column)}
            onPointerDown={() => setIndex(column)}
          />
        ))}
      </svg>
      <FigureWalk name={name} count={columns.length} index={index} onIndex={setIndex} place={place} lines={lines} />
    </div>
  );
}

const plotPx = HEIGHT - PAD.top - PAD.bottom;

/** Minimum span of the axis, per cent: with less, all of its labels would read the same. */
const LEAST_SPAN = 0.04;

function scaleOf(series: readonly IntervalSeries[]) {
  const all = series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const room = Math.max(0, LEAST_SPAN - (high - low)) / 2;
  const ticks = roundTicks(low - room, high + room, 4);
  const [min, max] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  return {
    ticks,
    decimals: tickDecimals(ticks),
    y: (value: number) => Number((PAD.top + ((max - value) / (max - min)) * plotPx).toFixed(2)),
  };
}

function intervalText(value: IntervalValue | undefined): string {
  if (value == null) return 'not measured';
  return typeof value === 'number' ? `${percentText(value)}, no interval yet` : skillText(value);
}

/** The text alternative: every figure, series by series. */
function wordsOf(name: string, columns: IntervalChartProps['columns'], series: readonly IntervalSeries[]): string {
  const told = series.map((one) => {
    const figures = columns.map(([, place], column) => `${place} ${intervalText(one.values[column])}`);
    return `${one.name}: ${figures.join(', ')}.`;
  });
  return `${name}, in per cent with 95 % intervals. ${told.join(' ')}`;
}
