/** Where a line chart puts what: scales, round figures beside them, and the point below a pointer. No canvas, no DOM. */
import { roundTicks } from './scale-ticks.ts';

export interface LinePoint {
  /** Epoch seconds; rising from point to point. */
  timeS: number;
  value: number;
}

/** CSS pixels. */
export interface LineSize {
  width: number;
  height: number;
  /** Room for the figures of the value axis, at the right. */
  axisPx: number;
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
/** Labels of the value axis, and CSS pixels that one of the time axis wants for itself. */
const VALUE_TICKS = 5;
const TIME_LABEL_PX = 64;

/** @param points  at least one */
export function lineLayout(
  points: readonly LinePoint[],
  size: LineSize,
  format: (value: number) => string,
): LineLayout {
  const { width, height, axisPx } = size;
  const [left, right] = [PAD.left, Math.max(PAD.left + 1, width - axisPx - PAD.right)];
  const [top, bottom] = [PAD.top, height - PAD.bottom];
  const { low, high } = valueSpan(points);
  const firstS = points[0]?.timeS ?? 0;
  const lastS = points.at(-1)?.timeS ?? firstS;
  // A point alone stands at the right, where the newest always stands.
  const x = (timeS: number) =>
    lastS === firstS ? right : left + ((timeS - firstS) / (lastS - firstS)) * (right - left);
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  const values = roundTicks(low, high, VALUE_TICKS)
    .filter((value) => value >= low && value <= high)
    .map((value) => ({ at: y(value), label: format(value) }));
  const times = calendarTicks(firstS, lastS, Math.floor((right - left) / TIME_LABEL_PX)).map(({ timeS, label }) => ({
    at: x(timeS),
    label,
  }));
  return { left, right, top, bottom, x, y, values, times };
}

function valueSpan(points: readonly LinePoint[]): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { value } of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  // A line that never moves lies in the middle.
  const span = high - low || Math.abs(high) * 0.02 || 1;
  return { low: low - span * AIR, high: high + span * AIR };
}

/** Steps of the time axis, months. */
const STEPS_MONTHS = [1, 3, 6, 12, 24, 60, 120] as const;

export interface CalendarTick {
  timeS: number;
  label: string;
}

/** Firsts of months of the UTC calendar: 'Jul', and '2026' for January. @param most  ticks at most; at least 1 is taken */
export function calendarTicks(firstS: number, lastS: number, most: number): CalendarTick[] {
  const step = STEPS_MONTHS.find((months) => ticksOf(firstS, lastS, months).length <= Math.max(1, most));
  return ticksOf(firstS, lastS, step ?? 120);
}

function ticksOf(firstS: number, lastS: number, stepMonths: number): CalendarTick[] {
  const first = new Date(firstS * 1000);
  const ticks: CalendarTick[] = [];
  const begin = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / stepMonths) * stepMonths;
  for (let month = begin; ; month += stepMonths) {
    const timeS = Date.UTC(Math.floor(month / 12), month % 12) / 1000;
    if (timeS > lastS) return ticks;
    if (timeS >= firstS) ticks.push({ timeS, label: monthLabel(timeS) });
  }
}

function monthLabel(timeS: number): string {
  const date = new Date(timeS * 1000);
  if (date.getUTCMonth() === 0) return String(date.getUTCFullYear());
  return date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
}

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

/** The moment at a place of the chart. */
export function timeAt(points: readonly LinePoint[], { left, right }: LineLayout, px: number): number {
  const firstS = points[0]?.timeS ?? 0;
  const lastS = points.at(-1)?.timeS ?? firstS;
  return firstS + ((px - left) / (right - left)) * (lastS - firstS);
}
