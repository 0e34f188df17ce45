/** Which models a user may pick, which one stands there first, and what is said of each. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { modelLine, type ToldSymbol } from '#domain/forecast/figure-words.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';

/** As the server publishes them. */
export type ModelStatuses = Readonly<Record<ModelName, ModelStatus>>;

export interface ModelOption {
  value: ModelName;
  label: string;
  isLocked: boolean;
  title?: string;
  /** What it was measured to do; absent while that is not known. */
  line?: string;
}

/**
 * Every model; those outside the plan are locked.
 * @param symbol  looked at: what is said of a model was measured on such symbols
 * @param figures  null while they are on the way: then no line is said
 */
export function modelOptions(
  { models }: Entitlement,
  symbol: ToldSymbol,
  figures: readonly ModelFigures[] | null = null,
): ModelOption[] {
  return MODEL_NAMES.map((name) => {
    const line = modelLine(
      figures?.find(({ model }) => model === name),
      symbol,
    );
    const option = { value: name, label: MODELS[name].label, ...(line === '' ? {} : { line }) };
    return models.includes(name)
      ? { ...option, isLocked: false }
      : { ...option, isLocked: true, title: 'Upgrade to unlock' };
  });
}

/**
 * The best allowed model that can forecast, the best allowed one otherwise; null when none is allowed. The others can
 * still be picked: the server refuses them and takes nothing.
 *
 * @param statuses  null while they are unknown: then every model counts as able
 */
export function defaultModel({ models }: Entitlement, statuses: ModelStatuses | null): ModelName | null {
  const bestFirst = MODEL_NAMES.toReversed().filter((name) => models.includes(name));
  return bestFirst.find((name) => statuses === null || statuses[name].state === 'ready') ?? bestFirst[0] ?? null;
}

const KIND_WORDS = { neural: 'Neural: a network trained on past candles.' } as const;

/** One or two sentences for people about what a model is; empty while it is unknown. */
export function modelWords(status: ModelStatus | null): string {
  if (status === null) return '';
  if (status.state === 'not-trained') return 'Not trained yet: it cannot forecast. Asking it costs nothing.';
  if (status.state === 'disabled') return 'Out of order: it cannot forecast now. Asking it costs nothing.';
  return status.kind === null ? '' : KIND_WORDS[status.kind];
}
