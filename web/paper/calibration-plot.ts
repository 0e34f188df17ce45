/** Of 100 closes, how many were inside a band, split by horizon, symbol, band and quarter of the hour. */
import { coverageText, MAIN_GROUP, shortName } from '#domain/forecast/figures/figure-messages.ts';
import { SCORED_HORIZONS, type SkillTable } from '#domain/forecast/model-figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, type PaperModel } from './paper-data.ts';
import { linear, place, pointMark, stepsBetween } from './plot.ts';

const WIDTH = 420;
const LEFT = 108;
const ROW = 13.5;
const TOP = 8;
const BELOW = 36;
/** Allowed deviation of a part, points on either side. */
const TOLERANCE = 2;
const THIRDS = ['narrowest third', 'middle third', 'widest third'] as const;
const QUARTERS = ['from :00', 'from :15', 'from :30', 'from :45'] as const;

export interface CalibrationPlotProps {
  models: readonly PaperModel[];
  band: 'within80' | 'within95';
  target: number;
  range: readonly [number, number];
}

interface Row {
  label: string;
  /** One per model; null where it was not measured. */
  values: (number | null)[];
}

export function calibrationPlot({ models, band, target, range }: CalibrationPlotProps): Markup {
  const tables = models.map((model) => groupFigures(model, MAIN_GROUP).skill);
  const rows = rowsOf(tables, band);
  const floor = TOP + rows.length * ROW;
  const x = linear(range, [LEFT, WIDTH - 12]);
  const pooled = band === 'within80' ? 'pooled80' : 'pooled95';
  const summary = tables.map(({ coverage }, index) => {
    const model = models[index]?.model;
    return model === undefined ? '' : `${shortName(model)}: ${coverageText(coverage[pooled], target)}`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${floor + BELOW}" role="img" aria-label="Closes out of 100 inside the ${target}% band, overall. ${summary.join('; ')}. Groups range from ${extremes(rows)}.">
<rect class="tolerance" x="${place(x(target - TOLERANCE))}" y="${TOP}" width="${place(x(target + TOLERANCE) - x(target - TOLERANCE))}" height="${floor - TOP}"/>
${stepsBetween(range[0], range[1], 2).map((value) => html`<path class="${value === target ? 'zero' : 'grid'}" d="M${place(x(value))} ${TOP}V${floor}"/><text class="tick" x="${place(x(value))}" y="${floor + 15}" text-anchor="middle">${value}</text>`)}
<text class="axis" x="${place((LEFT + WIDTH) / 2)}" y="${floor + 31}" text-anchor="middle">closes inside, out of 100</text>
${rows.map(({ label, values }, at) => {
  const y = TOP + (at + 0.5) * ROW;
  return html`<text class="tick" x="${LEFT - 10}" y="${place(y + 4)}" text-anchor="end">${label}</text>${values.map(
    (value, index) => {
      const model = models[index]?.model;
      return value === null || model === undefined ? '' : pointMark(model, x(value), y);
    },
  )}`;
})}</svg>`;
}

function rowsOf(tables: readonly SkillTable[], band: CalibrationPlotProps['band']): Row[] {
  const symbols = [...new Set(tables.flatMap(({ coverageBySymbol }) => Object.keys(coverageBySymbol)))].sort();
  const row = (label: string, shareOf: (table: SkillTable) => number | undefined): Row => ({
    label,
    values: tables.map((table) => shareOf(table) ?? null),
  });
  const pooled = band === 'within80' ? 'pooled80' : 'pooled95';
  return [
    row('overall', ({ coverage }) => coverage[pooled][0]),
    ...SCORED_HORIZONS.map((minutes) =>
      row(`${minutes} min`, ({ coverageByHorizon }) => coverageByHorizon[`h${minutes}`][band]),
    ),
    ...symbols.map((symbol) => row(symbol, ({ coverageBySymbol }) => coverageBySymbol[symbol]?.[band])),
    ...THIRDS.map((label, third) => row(label, ({ coverageByWidth }) => coverageByWidth[third]?.[band])),
    ...QUARTERS.map((label, quarter) =>
      row(label, ({ coverageByQuarterHour }) => coverageByQuarterHour[quarter]?.[band]),
    ),
  ];
}

function extremes(rows: readonly Row[]): string {
  const values = rows.flatMap(({ values }) => values.filter((value) => value !== null));
  return `${formatPrice(Math.min(...values), 1)} to ${formatPrice(Math.max(...values), 1)}`;
}
