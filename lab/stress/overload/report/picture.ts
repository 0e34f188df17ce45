/**
 * The picture of an overload, as a standalone SVG: above, completed work relative to that at capacity; below, the 99th
 * percentiles with their bounds. Stages run from left to right. Colours follow the reader's light or dark setting, and
 * each line also has its own marker.
 */

import { escapeXml, PLOT_STYLE } from '../../plot-style.ts';
import type { StageFigures, WorkKind } from '../stage-figures.ts';
import { BOUNDS, KIND_NAMES } from './bounds.ts';
import type { OverloadReport } from './overload-report.ts';

interface Line {
  name: string;
  /** CSS class of its colour. */
  style: 'a' | 'b' | 'c';
  /** One per stage; null: nothing was measured. */
  values: readonly (number | null)[];
}

interface Panel {
  title: string;
  top: number;
  /** Height of a value, from the panel's top. */
  y(value: number): number;
  ticks: readonly { value: number; text: string }[];
  lines: readonly Line[];
  bounds: readonly { value: number; text: string; style: 'a' | 'b' | 'c' | 'n' }[];
}

const WIDTH = 880;
const HEIGHT = 690;
const LEFT = 72;
const RIGHT = 200;
const PANEL_HEIGHT = 220;
const TOPS = { goodput: 106, times: 400 };
const LEAST_TOP_SHARE = 1.25;
const SHARE_TICKS = 5;
const LEAST_MS = 1;
const MOST_MS = 100_000;
const LABEL_GAP = 16;
/** Offsets that separate markers of overlapping lines. */
const BESIDE = { a: -7, b: 0, c: 7 } as const;

export function drawOverload(report: OverloadReport): string {
  // The seconds right after the overload are not a full stage.
  const stages = report.stages.filter(({ name }) => !name.startsWith('back'));
  const x = (i: number): number => LEFT + ((i + 0.5) * (WIDTH - LEFT - RIGHT)) / stages.length;
  const panels = [goodputPanel(report, stages), timesPanel(stages)];
  const title = headingOf(report);
  const body = [
    `<rect class="ground" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<text class="heading" x="16" y="32">${escapeXml(title)}</text>`,
    `<text class="soft" x="16" y="54">${escapeXml(subheadingOf(report))}</text>`,
    ...panels.map((panel) => panelSvg(panel, stages, x)),
    `<text class="soft" x="${LEFT}" y="${HEIGHT - 14}">Load, times the host's capacity, in the order in which it was set</text>`,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="desc">${escapeXml(description(panels, stages))}</desc>`,
    `<style>${PLOT_STYLE}</style>`,
    ...body,
    '</svg>\n',
  ].join('\n');
}

function headingOf({ options: { scenario, processes } }: OverloadReport): string {
  const where = processes === 1 ? 'one process' : `${processes} processes`;
  return `Overload of ${where}${scenario === null ? '' : `: ${scenario}`}`;
}

function subheadingOf({ capacity, options: { stageS, speed }, unit }: OverloadReport): string {
  const load = capacity ?? 0;
  const a = (value: number): string => Math.round(value * load).toLocaleString('en-US');
  const held = speed === null ? '' : `, each server held to ${Math.round(speed * 100)}% of a core`;
  return (
    `Capacity: ${a(unit.sockets)} sockets, and a minute ${a(unit.streamsPerMinute)} forecasts, ${a(unit.pagesPerMinute)} ` +
    `page loads, ${a(unit.signUpsPerMinute)} sign-ups; ${stageS} s a stage${held}`
  );
}

function goodputPanel({ atCapacity }: OverloadReport, stages: readonly StageFigures[]): Panel {
  const line = (kind: WorkKind, style: Line['style']): Line => ({
    name: KIND_NAMES[kind],
    style,
    values: stages.map(({ work }) => {
      const whole = atCapacity?.[kind] ?? 0;
      return whole === 0 ? null : work[kind].completedPerMinute / whole;
    }),
  });
  const lines = [line('forecasts', 'a'), line('calls', 'b'), line('signUps', 'c')];
  const most = Math.max(LEAST_TOP_SHARE, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const step = Math.ceil((most * 4) / SHARE_TICKS) / 4;
  return {
    title: 'Completed, of what completes at capacity',
    top: TOPS.goodput,
    y: (share) => PANEL_HEIGHT * (1 - share / (step * SHARE_TICKS)),
    ticks: Array.from({ length: SHARE_TICKS }, (_, i) => ({ value: i * step, text: `${i * step * 100}%` })),
    lines,
    bounds: [{ value: BOUNDS.completedShare, text: 'bound: 90%', style: 'n' }],
  };
}

function timesPanel(stages: readonly StageFigures[]): Panel {
  const line = (name: string, style: Line['style'], of: (stage: StageFigures) => number | null): Line => ({
    name,
    style,
    values: stages.map(of),
  });
  const decades = Math.log10(MOST_MS / LEAST_MS);
  return {
    title: '99th percentile in milliseconds, logarithmic',
    top: TOPS.times,
    y: (ms) => PANEL_HEIGHT * (1 - Math.log10(Math.min(MOST_MS, Math.max(LEAST_MS, ms)) / LEAST_MS) / decades),
    ticks: [1, 10, 100, 1000, 10_000, 100_000].map((value) => ({ value, text: value.toLocaleString('en-US') })),
    lines: [
      line('candles late', 'a', ({ lateness }) => lateness.p99Ms),
      line('calls', 'b', ({ calls }) => calls.p99Ms),
      line('refusals', 'c', ({ refusals }) => refusals.p99Ms),
    ],
    bounds: [
      { value: BOUNDS.latenessP99Ms, text: `bound of candles: ${BOUNDS.latenessP99Ms}`, style: 'a' },
      { value: BOUNDS.callsP99Ms, text: `bound of calls: ${BOUNDS.callsP99Ms}`, style: 'b' },
      { value: BOUNDS.refusalMs, text: `bound of refusals: ${BOUNDS.refusalMs}`, style: 'c' },
    ],
  };
}

function panelSvg(panel: Panel, stages: readonly StageFigures[], x: (i: number) => number): string {
  const end = WIDTH - RIGHT;
  const ticks = panel.ticks.map(({ value, text }) => {
    const y = rounded(panel.y(value));
    return `<path class="rule" d="M${LEFT} ${y}H${end}"/><text class="soft" x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${text}</text>`;
  });
  const bounds = panel.bounds.map(({ value, style }) => {
    const y = rounded(panel.y(value));
    return `<path class="bound ${style}" d="M${LEFT} ${y}H${end}"/>`;
  });
  const names = stages.map(
    ({ ofCapacity }, i) =>
      `<text x="${rounded(x(i))}" y="${PANEL_HEIGHT + 20}" text-anchor="middle">${ofCapacity} ×</text>`,
  );
  const lines = panel.lines.map(({ style, values }) => {
    const points = values.flatMap((value, i) =>
      value === null ? [] : [{ x: rounded(x(i) + BESIDE[style]), y: rounded(panel.y(value)) }],
    );
    const path = points.map((point, i) => `${i === 0 ? 'M' : 'L'}${point.x} ${point.y}`).join('');
    return `<path class="line ${style}" d="${path}"/>${points.map((point) => mark(style, point)).join('')}`;
  });
  return [
    `<g transform="translate(0 ${panel.top})">`,
    `<text class="panel" x="16" y="-14">${escapeXml(panel.title)}</text>`,
    ...[...ticks, ...bounds, ...names, ...lines, ...labels(panel)],
    '</g>',
  ].join('\n');
}

/** At the right edge, each beside its line's end, without overlaps. */
function labels({ lines, bounds, y }: Panel): string[] {
  const ofLines = lines.flatMap(({ name, style, values }) => {
    const last = values.findLast((value) => value !== null);
    return last === undefined || last === null
      ? []
      : [{ at: y(last), text: name, style: style as string, isLine: true }];
  });
  const ofBounds = bounds.map(({ value, text, style }) => ({
    at: y(value),
    text,
    style: style as string,
    isLine: false,
  }));
  let lowest = Number.NEGATIVE_INFINITY;
  return [...ofLines, ...ofBounds]
    .sort((a, b) => a.at - b.at)
    .map(({ at, text, style, isLine }) => {
      lowest = Math.max(at, lowest + LABEL_GAP);
      const x = WIDTH - RIGHT + 16;
      const sign = isLine ? mark(style as Line['style'], { x, y: rounded(lowest) }) : '';
      return `${sign}<text class="fill-${style}" x="${x + 10}" y="${rounded(lowest + 4)}">${escapeXml(text)}</text>`;
    });
}

function mark(style: Line['style'], { x, y }: { x: number; y: number }): string {
  if (style === 'a') return `<circle class="fill-a" cx="${x}" cy="${y}" r="4"/>`;
  if (style === 'b') return `<rect class="fill-b" x="${x - 4}" y="${y - 4}" width="8" height="8"/>`;
  return `<path class="fill-c" d="M${x} ${y - 5}L${x + 5} ${y + 4}H${x - 5}Z"/>`;
}

/** All figures as text, for readers who do not see the lines. */
function description(panels: readonly Panel[], stages: readonly StageFigures[]): string {
  const [goodput, times] = panels;
  const texts = (panel: Panel | undefined, text: (value: number) => string): string[] =>
    (panel?.lines ?? []).map(({ name, values }) => {
      const each = values.map((value) => (value === null ? 'none' : text(value)));
      return `${name} ${each.join(', ')}`;
    });
  return [
    `Stages at ${stages.map(({ ofCapacity }) => ofCapacity).join(', ')} times capacity.`,
    `${goodput?.title}: ${texts(goodput, (share) => `${Math.round(share * 100)}%`).join('; ')}.`,
    `99th percentile: ${texts(times, (ms) => `${Math.round(ms)} ms`).join('; ')}.`,
  ].join(' ');
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
