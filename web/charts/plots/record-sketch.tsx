/** One forecast of the record and its outcome. Only a few bars are known; the card around the sketch has its text. */
import { formatChange } from '#domain/format/price.ts';
import plotStyles from './frame/plot.module.css';
import { usePlot, ValueAxis } from './frame/plot-frame.tsx';
import { roundTicks } from './frame/scale-ticks.ts';
import styles from './record-sketch.module.css';

export interface RecordSketchProps {
  description: string;
  /** Minutes ahead of the values below, ascending. */
  bars: readonly number[];
  /** Basis points above the last close. */
  path: readonly number[];
  /** Half widths, basis points. */
  band80: readonly number[];
  band95: readonly number[];
  /** Actual closes; null until known. */
  actual: readonly number[] | null;
}

const HEIGHT = 160;
const PAD = { left: 46, right: 10, top: 10, bottom: 22 };
/** The picture spans at least this much on either side, basis points. */
const LEAST_REACH_BP = 2;

interface Point {
  x: number;
  y: number;
}

export function RecordSketch({ description, bars, path, band80, band95, actual }: RecordSketchProps) {
  const plot = usePlot(HEIGHT, PAD);
  const { left, right } = plot;
  const last = bars.at(-1) ?? 1;
  const reach = Math.max(LEAST_REACH_BP, ...[...path, ...band95, ...(actual ?? [])].map(Math.abs));
  const highest = roundTicks(0, reach, 2).at(-1) ?? reach;
  const x = (bar: number) => left + (bar / last) * (right - left);
  const y = (bp: number) => plot.top + ((highest - bp) / (2 * highest)) * (plot.bottom - plot.top);
  const points = (values: readonly number[]): Point[] => [
    { x: x(0), y: y(0) },
    ...bars.map((bar, i) => ({ x: x(bar), y: y(values[i] ?? 0) })),
  ];
  const band = (halves: readonly number[]) => {
    const lower = points(halves.map((half) => -half)).reverse();
    return `${lineOf(points(halves))}${lineOf(lower).replace('M', 'L')}Z`;
  };
  const actualPoints = actual === null ? [] : points(actual);
  return (
    <div ref={plot.hostRef} className="min-width-0 clip">
      <svg viewBox={`0 0 ${plot.width} ${HEIGHT}`} role="img" aria-label={description} className={styles.sketch}>
        <ValueAxis plot={plot} ticks={[highest, 0, -highest]} y={y} format={(bp) => formatChange(bp, 0)} hasZero />
        {[0, ...bars.filter((bar) => bar >= last / 5)].map((bar) => (
          <text
            key={bar}
            x={x(bar)}
            y={HEIGHT - 6}
            className={plotStyles.tick}
            textAnchor={bar === last ? 'end' : 'middle'}
          >
            {bar}
          </text>
        ))}
        <path d={band(band95)} className={styles.outer} />
        <path d={band(band80)} className={styles.inner} />
        <path d={lineOf(points(path))} className={styles.path} />
        <path d={lineOf(actualPoints)} className={styles.halo} />
        <path d={lineOf(actualPoints)} className={styles.actual} />
        {actualPoints.slice(1).map((point, i) => (
          <circle key={bars[i]} cx={point.x} cy={point.y} r={2.75} className={styles.dot} />
        ))}
      </svg>
    </div>
  );
}

function lineOf(points: readonly Point[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}
