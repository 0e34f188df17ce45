/** The layout of a line chart, without canvas or DOM. */
import { roundTicks } from '../plots/frame/scale-ticks.ts';

export interface LinePoint {
  /** Epoch seconds, in ascending order. */
  timeS: number;
  value: number;
}

/** CSS pixels. */
export interface LineSize {
  width: number;
  height: number;
  /** Room for the value axis's labels, at the right. */
  axisPx: number;
  /** Of the text. */
  scale: number;
}

export interface LineTick {
  /** CSS pixels from the left, or from the top. */
  at: number;
  label: string;
}

export interface LineLayout {
  left: number;
  right: number;
  top: number;
  bottom: number;
  x(timeS: number): number;
  y(value: number): number;
  values: LineTick[];
  times: LineTick[];
}

const PAD = { left: 4, right: 6, top: 10, bottom: 26 };
/** Share of the span that stays free above and below the line. */
const AIR = 0.06;
/** Number of labels on the value axis, and CSS pixels per label of the time axis. */
const VALUE_TICKS = 5;
const TIME_LABEL_PX = 64;

/** @param points  at least one */
export function lineLayout(
  points: readonly LinePoint[],
  size: LineSize,
  format: (value: number) => string,
): LineLayout {
  const { width, height, axisPx, scale } = size;
  const [left, right] = [PAD.left, Math.max(PAD.left + 1, width - axisPx - PAD.right)];
  const [top, bottom] = [PAD.top, height - PAD.bottom * scale];
  const { low, high } = valueSpan(points);
  const firstS = points[0]?.timeS ?? 0;
  const lastS = points.at(-1)?.timeS ?? firstS;
  // A single point is at the right, where the newest always is.
  const x = (timeS: number) =>
    lastS === firstS ? right : left + ((timeS - firstS) / (lastS - firstS)) * (right - left);
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const values = roundTicks(low, high, VALUE_TICKS)
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ at: y(value), label: format(value) }));
  const times = calendarTicks(firstS, lastS, Math.floor((right - left) / (TIME_LABEL_PX * scale))).map(
    ({ timeS, label }) => ({
      at: x(timeS),
      label,
    }),
  );
  return { left, right, top, bottom, x, y, values, times };
}

function valueSpan(points: readonly LinePoint[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // A flat line is centred.
  const span = high - low || Math.abs(high) * 0.02 || 1;
  return { low: low - span * AIR, high: high + span * AIR };
}

const STEPS_MONTHS = [1, 3, 6, 12, 24, 60, 120] as const;

export interface CalendarTick {
  timeS: number;
  label: string;
}

/** The first days of months in UTC: 'Jul', or '2026' for January. @param most  maximum number of ticks; at least 1 */
export function calendarTicks(firstS: number, lastS: number, most: number): CalendarTick[] {
  const [first, last] = [monthOf(firstS), monthOf(lastS)];
  // Months are counted from the year 0. The first month counts only if the line starts exactly with it.
  const begin = startS(first) < firstS ? first + 1 : first;
  const countOf = (step: number) => Math.max(0, Math.floor(last / step) - Math.ceil(begin / step) + 1);
  const step = STEPS_MONTHS.find((months) => countOf(months) <= Math.max(1, most)) ?? 120;
  const from = Math.ceil(begin / step) * step;
  return Array.from({ length: countOf(step) }, (_, i) => {
    const month = from + i * step;
    return { timeS: startS(month), label: MONTHS[month % 12] ?? String(month / 12) };
  });
}

function monthOf(timeS: number): number {
  const date = new Date(timeS * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startS(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / 1000;
}

/** January is labelled with its year. */
const MONTHS = [undefined, 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The point nearest in time. @param points  at least one @returns its index */
export function nearestPoint(points: readonly LinePoint[], timeS: number): number {
  let [from, to] = [0, points.length - 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((points[middle]?.timeS ?? 0) < timeS) from = middle + 1;
    else to = middle;
  }
  const after = points[from];
  const before = points[from - 1];
  if (after === undefined || before === undefined) return from;
  return timeS - before.timeS < after.timeS - timeS ? from - 1 : from;
}

export function timeAt(points: readonly LinePoint[], { left, right }: LineLayout, px: number): number {
  const firstS = points[0]?.timeS ?? 0;
  const lastS = points.at(-1)?.timeS ?? firstS;
  return firstS + ((px - left) / (right - left)) * (lastS - firstS);
}
