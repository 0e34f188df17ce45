/**
 * The plots' frame: picture, text alternative, values axis, and the figures of one place, which pointer and keys
 * choose.
 */
import { type ReactNode, type RefObject, useRef } from 'react';
import { formatPrice } from '#domain/format/price.ts';
import { useTextScale } from '../../../ui/browser/text-scale.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import { KeySlider } from './key-slider.tsx';
import styles from './plot.module.css';
import { PointKey, type PointShape } from './point-mark.tsx';
import { roundTicks } from './scale-ticks.ts';
import { useWidth } from './use-width.ts';

/** CSS pixels free around a plot: for labels at the left, for the axis below. */
export interface PlotPad {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The picture's size and the plot's edges in it, CSS pixels. */
export interface Plot {
  hostRef: RefObject<HTMLDivElement | null>;
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A plot as wide as its host. @param height  of the picture */
export function usePlot(height: number, pad: PlotPad, fallbackPx = 340): Plot {
  const hostRef = useRef<HTMLDivElement>(null);
  const width = useWidth(hostRef, fallbackPx);
  const scale = useTextScale();
  return {
    hostRef,
    width,
    height,
    left: pad.left * scale,
    right: width - pad.right * scale,
    top: pad.top * scale,
    bottom: height - pad.bottom * scale,
  };
}

export interface PlotLine {
  name: string;
  shape: PointShape;
  text: string;
}

export interface PlotFrameProps {
  plot: Plot;
  /** What is drawn: 'Skill over HAR by horizon'. */
  name: string;
  description: string;
  /** Start and size of each place across the picture, or down it if `isDown`; CSS pixels. */
  places: readonly (readonly [number, number])[];
  isDown?: boolean;
  /** Marks the shown place behind the drawing; false where the drawing does. */
  hasMark?: boolean;
  index: number;
  onIndex: (index: number) => void;
  /** The shown place as text: 'at 10 minutes'. */
  place: string;
  lines: readonly PlotLine[];
  /** Fills the height of its parent, with the figures at the end. */
  isTall?: boolean;
  children: ReactNode;
}

export function PlotFrame(props: PlotFrameProps) {
  const { plot, name, description, places, isDown = false, hasMark = true, isTall = false, index, onIndex } = props;
  const { hostRef, width, height, top, bottom } = plot;
  const [start, size] = places[index] ?? [0, 0];
  return (
    <div ref={hostRef} className={classNames(styles.plot, isTall && styles.tall)}>
      <svg width={width} height={height} role="img" aria-label={description}>
        {hasMark &&
          (isDown ? (
            <rect x={0} y={start} width={width} height={size} className={styles.here} />
          ) : (
            <rect x={start} y={top} width={size} height={bottom - top} className={styles.here} />
          ))}
        {props.children}
        {places.map(([from, px], i) => (
          <rect
            key={from}
            x={isDown ? 0 : from}
            y={isDown ? from : 0}
            width={isDown ? width : px}
            height={isDown ? px : height}
            className={styles.target}
            onPointerEnter={() => onIndex(i)}
            onPointerDown={() => onIndex(i)}
          />
        ))}
      </svg>
      <PlotFigures
        name={name}
        count={places.length}
        index={index}
        onIndex={onIndex}
        place={props.place}
        lines={props.lines}
      />
    </div>
  );
}

type PlotFiguresProps = Pick<PlotFrameProps, 'name' | 'index' | 'onIndex' | 'place' | 'lines'> & { count: number };

function PlotFigures({ name, count, index, onIndex, place, lines }: PlotFiguresProps) {
  return (
    <div className={classNames(styles.below, 'steppable')}>
      <KeySlider
        name={name}
        count={count}
        index={index}
        onIndex={onIndex}
        spoken={`${place}: ${lines.map((line) => `${line.name} ${line.text}`).join('; ')}`}
      />
      <p className={styles.place}>{place}</p>
      <ul className={styles.lines}>
        {lines.map(({ name: of, shape, text }) => (
          <FigureLine key={of} name={of} shape={shape}>
            {text}
          </FigureLine>
        ))}
      </ul>
    </div>
  );
}

/** A series' mark and name, with its figure at the end of the line. */
export function FigureLine({ name, shape, children }: { name: string; shape: PointShape; children: ReactNode }) {
  return (
    <li className={styles.figureLine}>
      <PointKey shape={shape} />
      <span>{name}</span>
      <span className={`figures ${styles.figure}`}>{children}</span>
    </li>
  );
}

export interface ValueAxisProps {
  plot: Pick<Plot, 'left' | 'right'>;
  ticks: readonly number[];
  y(value: number): number;
  format(value: number): string;
  /** Draws a stronger line at zero. */
  hasZero?: boolean;
  /** Between labels and plot, CSS pixels. */
  gapPx?: number;
}

export function ValueAxis({ plot: { left, right }, ticks, y, format, hasZero = false, gapPx = 6 }: ValueAxisProps) {
  return ticks.map((tick) => (
    <g key={tick}>
      <path d={`M${left} ${y(tick)}H${right}`} className={hasZero && tick === 0 ? styles.zero : styles.grid} />
      <text x={left - gapPx} y={y(tick)} className={styles.tick} textAnchor="end" dominantBaseline="central">
        {format(tick)}
      </text>
    </g>
  ));
}

export interface AxisLabelProps {
  plot: Pick<Plot, 'height'>;
  x: number;
  anchor?: 'start' | 'middle' | 'end';
  children: ReactNode;
}

export function AxisLabel({ plot, x, anchor = 'middle', children }: AxisLabelProps) {
  return (
    <text x={x} y={plot.height - 8} className={styles.tick} textAnchor={anchor}>
      {children}
    </text>
  );
}

/** For plots of counts. */
export const COUNT_PAD: PlotPad = { left: 48, right: 14, top: 14, bottom: 28 };

export interface CountScale {
  ticks: readonly number[];
  y(value: number): number;
}

/** Whole numbers from 0 to the round one above `max`. */
export function countScale(max: number, { top, bottom }: Plot): CountScale {
  const ticks = roundTicks(0, Math.max(max, 1), 4).filter(Number.isInteger);
  const highest = ticks.at(-1) ?? 1;
  return { ticks, y: (value) => Number((top + (1 - value / highest) * (bottom - top)).toFixed(2)) };
}

export function CountAxis({ plot, scale }: { plot: Plot; scale: CountScale }) {
  return (
    <ValueAxis plot={plot} ticks={scale.ticks} y={scale.y} format={(tick) => formatPrice(tick, 0)} hasZero gapPx={8} />
  );
}
