/** The paper's tables: one column per model, every skill with its interval. */
import {
  coverageText,
  hasEnoughBlocks,
  MAIN_GROUP,
  shortName,
  skillText,
} from '#domain/forecast/figures/figure-messages.ts';
import type { BaselineName, GroupFigures, ScoreColumn } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { type Content, html, type Markup } from './markup.ts';
import { type AimLine, groupFigures, modelNamed, type PaperData, type PaperModel, sum } from './paper-data.ts';

export interface PaperTableProps {
  id: string;
  caption: Content;
  columns: readonly string[];
  rows: readonly (readonly [string, ...Content[]])[];
}

/** On a narrow screen only the table scrolls; it is focusable, so that the keyboard can scroll it. */
export function table({ id, caption, columns, rows }: PaperTableProps): Markup {
  return html`<div class="table" role="region" aria-labelledby="${id}" tabindex="0"><table><caption id="${id}">${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(([head, ...cells]) => html`<tr><th scope="row">${head}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
}

export function networksTable(data: PaperData): Markup {
  const per = (cell: (model: PaperModel) => Content) => data.models.map(cell);
  const seconds = ({ training }: PaperModel) =>
    Object.values(training.fitting).reduce((total, one) => total + one.seconds, 0);
  return table({
    id: 'table-networks',
    caption: 'Table 1. The three networks, from their manifests.',
    columns: ['Network', ...data.models.map(({ model }) => shortName(model))],
    rows: [
      ['Parameters', ...per(({ parameters }) => formatPrice(parameters, 0))],
      ['Architecture', ...per(({ training }) => training.members)],
      [
        'Reads minute by minute',
        ...per(({ input }) => (input.names.includes('minutes') ? 'yes' : 'no, averages only')),
      ],
      ['Training windows', ...per(({ windows }) => formatPrice(sum(windows.fit), 0))],
      ['Calibration windows', ...per(({ windows }) => formatPrice(sum(windows.validate), 0))],
      ['Training time on one core, s', ...per((model) => formatPrice(seconds(model), 0))],
    ],
  });
}

const CRPS_ROWS: readonly (readonly [string, BaselineName, ScoreColumn])[] = [
  ['Band over EWMA, normal, 1 min', 'ewma-gauss', 'h1'],
  ['… 10 min', 'ewma-gauss', 'h10'],
  ['… 50 min', 'ewma-gauss', 'h50'],
  ['… all horizons', 'ewma-gauss', 'all'],
  ['Band over EWMA, empirical, all', 'ewma-empirical', 'all'],
  ['Band over per-symbol HAR, 1 min', 'har-empirical', 'h1'],
  ['… all horizons', 'har-empirical', 'all'],
  ['Band over pooled HAR, all', 'har-pooled', 'all'],
];

export function skillTable(data: PaperData): Markup {
  const per = (cell: (figures: GroupFigures) => Content) =>
    data.models.map((model) => cell(groupFigures(model, MAIN_GROUP)));
  const pair = (other: ModelName) =>
    per(({ skill }) => {
      const paired = skill.pairedSkillPercent[other]?.all;
      return paired === undefined ? '–' : skillText(paired);
    });
  return table({
    id: 'table-skill',
    caption:
      'Table 2. Skill on the main group: how much lower the error is than the named forecaster’s on the same windows, in percent. In brackets: 95% intervals; one that contains 0 shows no difference.',
    columns: ['Measure', ...data.models.map(({ model }) => shortName(model))],
    rows: [
      ...CRPS_ROWS.map(
        ([label, baseline, column]) =>
          [label, ...per(({ skill }) => skillText(skill.crpsSkillPercent[baseline][column]))] as const,
      ),
      ['Band over Bobcat, all', ...pair('bobcat')],
      ['Band over Panther, all', ...pair('panther')],
      ['Volatility (RV50) over EWMA', ...per(({ skill }) => skillText(skill.rv50SkillPercent['ewma-gauss']))],
      ['Volatility (RV50) over HAR', ...per(({ skill }) => skillText(skill.rv50SkillPercent['har-empirical']))],
      ['High-low range over EWMA', ...per(({ skill }) => skillText(skill.range50SkillPercent['ewma-gauss']))],
      ['High-low range over HAR', ...per(({ skill }) => skillText(skill.range50SkillPercent['har-empirical']))],
      ['Median over the last close', ...per(({ skill }) => percentChange(skill.medianErrorVsLastClosePercent))],
      ['Closes inside the 80% band', ...per(({ skill }) => coverageText(skill.coverage.pooled80, 80))],
      ['Closes inside the 95% band', ...per(({ skill }) => coverageText(skill.coverage.pooled95, 95))],
    ],
  });
}

/** Every group except the main one that the largest model was measured on. */
export function groupsTable(data: PaperData): Markup {
  const groups = modelNamed(data.models, 'lion').figures.filter(({ group }) => group !== MAIN_GROUP);
  return table({
    id: 'table-groups',
    caption: 'Table 3. Lion on every other measured group, misses included.',
    columns: [
      'Group',
      'Windows',
      'Blocks',
      'Band over EWMA, normal',
      'Band over per-symbol HAR',
      'Inside the 80% band',
    ],
    rows: groups.map((figures) => [
      figures.title,
      formatPrice(figures.skill.windows, 0),
      `${formatPrice(figures.skill.blocks, 0)}${hasEnoughBlocks(figures) ? '' : ' *'}`,
      skillText(figures.skill.crpsSkillPercent['ewma-gauss'].all),
      skillText(figures.skill.crpsSkillPercent['har-empirical'].all),
      coverageText(figures.skill.coverage.pooled80, 80),
    ]),
  });
}

/** Every aim that any model missed on the main group, with its result. */
export function missedTable(data: PaperData): Markup {
  const targets = [...new Set(data.models.flatMap(({ model }) => data.aims[model].map(({ target }) => target)))];
  const lineOf = (model: ModelName, target: string) => data.aims[model].find((line) => line.target === target);
  const missed = targets.filter((target) => data.models.some(({ model }) => lineOf(model, target)?.isMet === false));
  return table({
    id: 'table-missed',
    caption: 'Table 4. Every target that a model missed on the main group, and its result (percent).',
    columns: ['Target', ...data.models.map(({ model }) => shortName(model))],
    rows: missed.map((target) => [readable(target), ...data.models.map(({ model }) => aimCell(lineOf(model, target)))]),
  });
}

function aimCell(line: AimLine | undefined): Content {
  if (line === undefined) return '–';
  return html`<strong class="${line.isMet ? 'met' : 'missed'}">${line.isMet ? 'met' : 'missed'}</strong> ${readable(shortest(inThousandths(line.reached)))}`;
}

/** For an aim at every horizon, the lowest result. */
function shortest(reached: string): string {
  const horizons = [...reached.matchAll(/(h\d+) (-?[\d.]+) (\[[^\]]*\])/g)];
  const lowest = horizons.toSorted((a, b) => Number(a[2]) - Number(b[2]))[0];
  return horizons.length < 2 || lowest === undefined
    ? reached
    : `lowest at ${lowest[1]?.slice(1)} min: ${lowest[2]} ${lowest[3]}`;
}

/** Aims are compared unrounded, so results keep the manifests' precision in all cells. */
function inThousandths(reached: string): string {
  if (/^\d+ of \d+$/.test(reached)) return reached;
  return reached.replaceAll(/(?<![\w.])-?\d+(?:\.\d+)?/g, (figure) => Number(figure).toFixed(3));
}

/** Replaces the measuring code's names with the paper's; an interval stays on one line. */
export function readable(text: string): string {
  return text
    .replaceAll('ewma-gauss', 'EWMA, normal')
    .replaceAll('ewma-empirical', 'EWMA, empirical')
    .replaceAll('har-empirical', 'per-symbol HAR')
    .replaceAll('+-', '±')
    .replaceAll(/(?<=\[[^\]]*,) /g, '\u00a0')
    .replaceAll(/(?<=[[\s])-(?=\d)|^-(?=\d)/g, '\u2212');
}
