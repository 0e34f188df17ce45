/** What a line chart shows, in words. */
import { formatPercent } from '#domain/format/price.ts';
import type { LinePoint } from './line-layout.ts';

/** Must keep its identity while the words stay the same: the chart is drawn anew for others. */
export interface LineWords {
  /** What is drawn: 'BTC-USD, weekly closes'. */
  name: string;
  /** A value as a figure: '97,120'. */
  format(value: number): string;
  /** A point's time: 'week of Nov 16, 2026'. */
  placeOf(timeS: number): string;
}

/** The text alternative: where it stands, how far it came, and its ends. */
export function describeLine(points: readonly LinePoint[], isLastOpen: boolean, words: LineWords): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return `${words.name}: No data.`;
  const told = (point: LinePoint) => `${words.format(point.value)}, ${words.placeOf(point.timeS)}`;
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best), first);
  const change = formatPercent(last.value / first.value - 1);
  const open = isLastOpen ? ' (unfinished)' : '';
  return `${words.name}: ${told(last)}${open}; ${change} since ${told(first)}, over ${points.length} points. Highest ${told(highest)}; lowest ${told(lowest)}.`;
}

/** One point as a spoken line. */
export function spokenPoint(
  points: readonly LinePoint[],
  index: number,
  isLastOpen: boolean,
  { format, placeOf }: LineWords,
): string {
  const [point, before] = [points[index], points[index - 1]];
  if (point === undefined) return '';
  const change = before === undefined ? '' : `, ${formatPercent(point.value / before.value - 1)}`;
  const open = isLastOpen && index === points.length - 1 ? ', unfinished' : '';
  return `${placeOf(point.timeS)}${open}: ${format(point.value)}${change}`;
}
