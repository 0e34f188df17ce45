import { formatPercent } from '#domain/format/price.ts';
import type { LinePoint } from './line-layout.ts';

/** Must keep its identity while the texts are the same: a new object redraws the chart. */
export interface LineTexts {
  /** What is drawn: 'BTC-USD, weekly closes'. */
  name: string;
  /** Formats a value: '97,120'. */
  format(value: number): string;
  /** Describes a point's time: 'week of 16 Nov 2026'. */
  placeOf(timeS: number): string;
}

/** The text alternative: the latest value, its change, and the highest and lowest values. */
export function describeLine(points: readonly LinePoint[], isLastOpen: boolean, texts: LineTexts): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return `${texts.name}: No data.`;
  const pointText = (point: LinePoint) => `${texts.format(point.value)}, ${texts.placeOf(point.timeS)}`;
  const highest = points.reduce((best, point) => (point.value > best.value ? point : best), first);
  const lowest = points.reduce((best, point) => (point.value < best.value ? point : best), first);
  const change = formatPercent(last.value / first.value - 1);
  const open = isLastOpen ? ' (in progress)' : '';
  return `${texts.name}: ${pointText(last)}${open}; ${change} since ${pointText(first)}, over ${points.length} points. Highest ${pointText(highest)}; lowest ${pointText(lowest)}.`;
}

export function spokenPoint(
  points: readonly LinePoint[],
  index: number,
  isLastOpen: boolean,
  { format, placeOf }: LineTexts,
): string {
  const [point, before] = [points[index], points[index - 1]];
  if (point === undefined) return '';
  const change = before === undefined ? '' : `, ${formatPercent(point.value / before.value - 1)}`;
  const open = isLastOpen && index === points.length - 1 ? ', in progress' : '';
  return `${placeOf(point.timeS)}${open}: ${format(point.value)}${change}`;
}
