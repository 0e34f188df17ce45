/**
 * One panel for each series, as a standalone SVG: what one more costs, by the number that there already are. A level
 * line is linear growth. Both axes are logarithmic, and colours follow the reader's light or dark setting.
 */
import { escapeXml, PLOT_STYLE } from '../plot-style.ts';
import { type Point, rounded, SERIES, type SeriesReport } from './series.ts';

const WIDTH = 880;
const PANEL = { width: 440, height: 290, left: 64, right: 28, top: 70, plot: 150 };
const HEADING = 64;
/** Below this, a measurement is the clock's own tick. */
const LEAST_MS = 0.001;

type LineStyle = 'a' | 'b';
const LINES: readonly { name: string; style: LineStyle; of(point: Point): number }[] = [
  { name: 'server', style: 'a', of: ({ serverMs }) => serverMs },
  { name: 'PostgreSQL', style: 'b', of: ({ databaseMs }) => databaseMs },
];

export function drawGrowth(reports: readonly SeriesReport[]): string {
  const height = HEADING + Math.ceil(reports.length / 2) * PANEL.height + 16;
  const panels = reports.map((report, i) => {
    const at = { x: (i % 2) * PANEL.width, y: HEADING + Math.floor(i / 2) * PANEL.height };
    return `<g transform="translate(${at.x} ${at.y})">${panelSvg(report)}</g>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title desc">`,
    '<title id="title">Cost of growth</title>',
    `<desc id="desc">${escapeXml(reports.map(figuresOf).join(' '))}</desc>`,
    `<style>${PLOT_STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    '<text class="heading" x="16" y="32">Cost of growth</text>',
    '<text class="soft" x="16" y="52">Processor time in milliseconds for one more, by the number there are; a level line is linear growth</text>',
    ...panels,
    '</svg>\n',
  ].join('\n');
}

function panelSvg({ name, points, fullCoreAt }: SeriesReport): string {
  const { title, unit, axis } = SERIES[name];
  const x = scaleOf(
    points.map(({ count }) => count),
    (share) => PANEL.left + share * (PANEL.width - PANEL.left - PANEL.right),
  );
  // A logarithmic axis has no zero.
  const shown = LINES.filter(({ of }) => points.some((point) => of(point) > 0));
  const costs = points.flatMap((point) => shown.map(({ of }) => Math.max(LEAST_MS, of(point))));
  const decades = decadesAround(costs);
  const y = scaleOf(decades, (share) => PANEL.top + PANEL.plot * (1 - share));
  const bottom = PANEL.top + PANEL.plot;
  const ticks = decades.map((ms) => {
    const level = oneDecimal(y(ms));
    return `<path class="rule" d="M${PANEL.left} ${level}H${PANEL.width - PANEL.right}"/><text class="soft" x="${PANEL.left - 8}" y="${level + 4}" text-anchor="end">${ms}</text>`;
  });
  const counts = points.map(
    ({ count }) =>
      `<text class="soft" x="${oneDecimal(x(count))}" y="${bottom + 18}" text-anchor="middle">${short(count)}</text>`,
  );
  const lines = shown.map(({ style, of }) => {
    const dots = points.map((point) => ({
      x: oneDecimal(x(point.count)),
      y: oneDecimal(y(Math.max(LEAST_MS, of(point)))),
    }));
    const path = dots.map((dot, i) => `${i === 0 ? 'M' : 'L'}${dot.x} ${dot.y}`).join('');
    return `<path class="line ${style}" d="${path}"/>${dots.map((dot) => markOf(style, dot)).join('')}`;
  });
  const legend = shown.map(
    ({ name: line, style }, i) =>
      `${markOf(style, { x: PANEL.left + 6 + i * 90, y: 50 })}<text class="fill-${style}" x="${PANEL.left + 16 + i * 90}" y="54">${line}</text>`,
  );
  const wall = fullCoreAt === null ? '' : `; one core is full at ${short(fullCoreAt)}`;
  return [
    `<text class="panel" x="16" y="16">${escapeXml(title)}</text>`,
    `<text class="soft" x="16" y="34">ms for ${escapeXml(unit)}</text>`,
    ...legend,
    ...ticks,
    ...counts,
    ...lines,
    `<text class="soft" x="${PANEL.left}" y="${bottom + 38}">${escapeXml(axis + wall)}</text>`,
  ].join('\n');
}

function markOf(style: LineStyle, { x, y }: { x: number; y: number }): string {
  return style === 'a'
    ? `<circle class="fill-a" cx="${x}" cy="${y}" r="4"/>`
    : `<rect class="fill-b" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`;
}

/** Logarithmic from the smallest to the largest value. @param place  of a share between 0 and 1 */
function scaleOf(values: readonly number[], place: (share: number) => number): (value: number) => number {
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
  return (value) => place(most === least ? 0.5 : (Math.log10(value) - least) / (most - least));
}

/** Powers of ten from below the smallest to above the largest. */
function decadesAround(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: last - first + 1 }, (_, i) => Number((10 ** (first + i)).toPrecision(1)));
}

/** All figures as text, for readers who do not see the lines. */
function figuresOf({ name, points, growthOfUnitCost }: SeriesReport): string {
  const { title, unit } = SERIES[name];
  const each = points.map(
    ({ count, serverMs, databaseMs }) => `at ${short(count)} ${serverMs} ms and ${databaseMs} ms of PostgreSQL`,
  );
  return `${title}, ${unit}: ${each.join('; ')}. From the first to the last the cost changes ${growthOfUnitCost} times.`;
}

/** Such as 800, 4k, 3.2M. */
function short(count: number): string {
  if (count >= 1_000_000) return `${rounded(count / 1_000_000)}M`;
  return count >= 1000 ? `${rounded(count / 1000)}k` : String(count);
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
