import { describeOrder, hasEnoughBlocks, shortName, smallerModels } from '#domain/forecast/figures/figure-messages.ts';
import type { GroupFigures, ModelFigures } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { MODEL_SHAPES, type PointShape } from '../../charts/plots/frame/point-mark.tsx';

export interface PlottedModel {
  model: ModelName;
  name: string;
  shape: PointShape;
  figures: GroupFigures;
}

/** Short names of the known groups; any other group uses its title. */
const GROUP_LABELS: Readonly<Record<string, string>> = {
  'crypto-test': 'Core test',
  'crypto-others-test': 'Other crypto',
  'crypto-all-test': 'All crypto',
  'four-pairs': 'Four pairs',
  'shares-test': 'Shares',
  'gold-test': 'Gold',
  'crypto-2026': 'Crypto, 2026',
  'gold-2026': 'Gold, 2026',
};

export interface GroupChoice {
  group: string;
  label: string;
  title: string;
}

/** Every group that any model was measured on, in the order of the first model that has it. */
export function groupsOf(models: readonly ModelFigures[]): GroupChoice[] {
  const titles = new Map<string, string>();
  for (const { figures } of models) {
    for (const { group, title } of figures?.groups ?? []) if (!titles.has(group)) titles.set(group, title);
  }
  return [...titles].map(([group, title]) => ({ group, label: GROUP_LABELS[group] ?? title, title }));
}

/** The initial group: the first one with enough blocks for a verdict, else the first. */
export function startingGroup(models: readonly ModelFigures[]): string | null {
  const groups = models.flatMap(({ figures }) => figures?.groups ?? []);
  return (groups.find(hasEnoughBlocks) ?? groups[0])?.group ?? null;
}

export function measuredOn(models: readonly ModelFigures[], group: string): PlottedModel[] {
  return models.flatMap(({ model, figures }) => {
    const found = figures?.groups.find((one) => one.group === group);
    return found === undefined ? [] : [{ model, name: shortName(model), shape: MODEL_SHAPES[model], figures: found }];
  });
}

/** One sentence per pair on which beats which, larger model first. Empty if no two share a group. */
export function orderingSentences(models: readonly ModelFigures[], group: string): string[] {
  return models
    .flatMap(({ model, figures }) =>
      smallerModels(model).map((smaller) => describeOrder(model, smaller, figures?.groups ?? [], group)),
    )
    .filter((text) => text !== '');
}
