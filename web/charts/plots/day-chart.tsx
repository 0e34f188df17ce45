/** Counts per day: one series as a line, or several as stacked bars. */
import { useState } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { zonedShortDay } from '#domain/format/zoned-time.ts';
import styles from './frame/plot.module.css';
import { AxisLabel, COUNT_PAD, CountAxis, countScale, PlotFrame, usePlot } from './frame/plot-frame.tsx';

export interface DaySeries {
  name: string;
  shape: 'circle' | 'square';
  /** Whole, not negative, one per day. */
  values: readonly number[];
}

export interface DayChartProps {
  name: string;
  kind: 'line' | 'bars';
  /** 'YYYY-MM-DD', in order. At least one. */
  days: readonly string[];
  series: readonly DaySeries[];
  height: number;
  /** Index of the day whose figures are shown until another is chosen. */
  restingIndex: number;
}

const FALLBACK_PX = 480;
const LABEL_PX = 64;
const MAX_BAR_PX = 18;

export function DayChart({ name, kind, days, series, height, restingIndex }: DayChartProps) {
  const [chosen, setIndex] = useState<number | null>(null);
  const index = Math.min(chosen ?? restingIndex, days.length - 1);
  const plot = usePlot(height, COUNT_PAD, FALLBACK_PX);
  const { bottom } = plot;
  const totals = days.map((_, day) => series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0));
  const scale = countScale(Math.max(...totals), plot);
  const step = (plot.right - plot.left) / days.length;
  const centre = (day: number) => Number((plot.left + (day + 0.5) * step).toFixed(2));
  const labelEvery = Math.max(1, Math.ceil(LABEL_PX / step));
  return (
    <PlotFrame
      plot={plot}
      name={name}
      description={describeDays(name, days, series, totals)}
      places={days.map((_, day) => [centre(day) - step / 2, step])}
      index={index}
      onIndex={setIndex}
      place={longDay(days[index])}
      lines={series.map((one) => ({
        name: one.name,
        shape: one.shape,
        text: formatPrice(one.values[index] ?? 0, 0),
      }))}
      isTall
    >
      <CountAxis plot={plot} scale={scale} />
      {days.map(
        (day, i) =>
          i % labelEvery === 0 && (
            <AxisLabel key={day} plot={plot} x={centre(i)}>
              {formatDay(day)}
            </AxisLabel>
          ),
      )}
      {kind === 'line'
        ? series.map(({ name: of, values }) => {
            const points = values.map((value, day) => `${centre(day)} ${scale.y(value)}`).join('L');
            return (
              <g key={of}>
                <path d={`M${centre(0)} ${bottom}L${points}V${bottom}Z`} className={styles.area} />
                <path d={`M${points}`} className={styles.line} />
                <circle cx={centre(index)} cy={scale.y(values[index] ?? 0)} r={3.5} className={styles.square} />
              </g>
            );
          })
        : days.map((day, i) => <Bars key={day} series={series} day={i} x={centre(i)} step={step} y={scale.y} />)}
    </PlotFrame>
  );
}

interface BarsProps {
  series: readonly DaySeries[];
  day: number;
  x: number;
  step: number;
  y(value: number): number;
}

/** The first series is at the bottom. */
function Bars({ series, day, x, step, y }: BarsProps) {
  const barPx = Math.max(2, Math.min(MAX_BAR_PX, step * 0.7));
  let below = 0;
  return series.map(({ name, shape, values }) => {
    const from = below;
    below += values[day] ?? 0;
    if (below === from) return null;
    const height = Math.max(1, y(from) - y(below));
    return (
      <rect
        key={name}
        x={x - barPx / 2}
        y={y(below)}
        width={barPx}
        height={height}
        className={styles[shape]}
        data-value={below - from}
      />
    );
  });
}

function dayMs(day: string | undefined): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** '20 Nov'; days are always UTC. */
function formatDay(day: string): string {
  return zonedShortDay(dayMs(day), 'UTC');
}

function longDay(day: string | undefined): string {
  if (day === undefined) return '';
  return `${formatDay(day)} ${day.slice(0, 4)}, UTC`;
}

function describeDays(
  name: string,
  days: readonly string[],
  series: readonly DaySeries[],
  totals: readonly number[],
): string {
  const top = Math.max(...totals);
  const topDay = days[totals.indexOf(top)];
  const sums = series.map(
    (one) =>
      `${one.name} ${formatPrice(
        one.values.reduce((sum, value) => sum + value, 0),
        0,
      )}`,
  );
  const highest = top > 0 ? ` Highest on ${longDay(topDay)}: ${formatPrice(top, 0)}.` : '';
  return `${name}, ${days.length} days from ${longDay(days[0])} to ${longDay(days.at(-1))}. Total: ${sums.join(', ')}.${highest}`;
}
