/** Figure: CRPS skill against one baseline by minutes ahead, with 95% intervals, for every model. */
import { MAIN_GROUP, shortName, skillText } from '#domain/forecast/figures/figure-messages.ts';
import { type BaselineName, SCORE_COLUMNS } from '#domain/forecast/model-figures.ts';
import { formatPrice } from '#domain/format/price.ts';
import { html, type Markup } from './markup.ts';
import { groupFigures, type PaperModel } from './paper-data.ts';
import { linear, place, pointMark, stepsBetween } from './plot.ts';

const WIDTH = 420;
const HEIGHT = 200;
const TOP = 12;
const FLOOR = HEIGHT - 40;
const LEFT = 36;
/** Distance between the marks of two models at the same horizon. */
const APART = 13;
const COLUMN_LABELS = { h1: '1', h5: '5', h10: '10', h25: '25', h50: '50', all: 'all' } as const;

export interface SkillPlotProps {
  models: readonly PaperModel[];
  baseline: BaselineName;
  range: readonly [number, number];
  step: number;
  /** The baseline's name with its article. */
  label: string;
}

export function skillPlot({ models, baseline, range, step, label }: SkillPlotProps): Markup {
  const y = linear(range, [FLOOR, TOP]);
  const columnWidth = (WIDTH - LEFT - 4) / SCORE_COLUMNS.length;
  const skillOf = (model: PaperModel) => groupFigures(model, MAIN_GROUP).skill.crpsSkillPercent[baseline];
  const marks = models.flatMap((model, index) =>
    SCORE_COLUMNS.map((column, at) => {
      const [value, low, high] = skillOf(model)[column];
      const x = LEFT + (at + 0.5) * columnWidth + (index - (models.length - 1) / 2) * APART;
      return html`<path class="whisker" d="M${place(x)} ${place(y(low))}V${place(y(high))}"/>${pointMark(model.model, x, y(value))}`;
    }),
  );
  const summary = models.map((model) => {
    const { all } = skillOf(model);
    return `${shortName(model.model)}: ${skillText(all)}`;
  });
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Skill against ${label}, all horizons. ${summary.join('; ')}.">
${stepsBetween(range[0], range[1], step).map((value) => axisLine(value, y(value), step))}
${SCORE_COLUMNS.map((column, at) => html`<text class="tick" x="${place(LEFT + (at + 0.5) * columnWidth)}" y="${FLOOR + 17}" text-anchor="middle">${COLUMN_LABELS[column]}</text>`)}
<text class="axis" x="${place((LEFT + WIDTH) / 2)}" y="${HEIGHT - 6}" text-anchor="middle">minutes ahead</text>
${marks}</svg>`;
}

function axisLine(value: number, y: number, step: number): Markup {
  const label = formatPrice(Math.abs(value) < 1e-9 ? 0 : value, step < 1 ? 1 : 0);
  return html`<path class="${Math.abs(value) < 1e-9 ? 'zero' : 'grid'}" d="M${LEFT} ${place(y)}H${WIDTH - 4}"/><text class="tick" x="${LEFT - 7}" y="${place(y + 4)}" text-anchor="end">${label}</text>`;
}
