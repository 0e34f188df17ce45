/** Models a user may pick, the default one, and the text about each. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import type { ModelStatus } from '#domain/config/public-config.ts';
import type { SymbolSummary } from '#domain/forecast/figures/evaluation.ts';
import { briefVerdict } from '#domain/forecast/figures/plain-verdict.ts';
import { briefTimeframeVerdict } from '#domain/forecast/figures/timeframe-verdict.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

export type ModelStatuses = Readonly<Record<ModelName, ModelStatus>>;

export interface ModelOption {
  value: ModelName;
  label: string;
  isLocked: boolean;
  title?: string;
  /** The model's measured skill in one short line; absent when unknown. */
  line?: string;
}

/**
 * Every model; those outside the plan are locked.
 * @param symbol  each line reports skill measured on such symbols
 * @param figures  null until loaded, when the lines are left out
 */
export function modelOptions(
  { models }: Entitlement,
  symbol: SymbolSummary,
  timeframe: Timeframe,
  figures: readonly ModelFigures[] | null = null,
): ModelOption[] {
  return MODEL_NAMES.map((name) => {
    const line = briefTimeframeVerdict(
      timeframe,
      briefVerdict(
        figures?.find(({ model }) => model === name),
        symbol,
      ),
    );
    const option = { value: name, label: MODELS[name].label, ...(line === '' ? {} : { line }) };
    return models.includes(name)
      ? { ...option, isLocked: false }
      : { ...option, isLocked: true, title: 'Upgrade to unlock' };
  });
}

/**
 * The best allowed model that can forecast, else the best allowed one, which the server refuses without charge; null
 * for none.
 * @param statuses  null while unknown, when every model counts as ready
 */
export function defaultModel({ models }: Entitlement, statuses: ModelStatuses | null): ModelName | null {
  const bestFirst = MODEL_NAMES.toReversed().filter((name) => models.includes(name));
  return bestFirst.find((name) => statuses === null || statuses[name].state === 'ready') ?? bestFirst[0] ?? null;
}

const KIND_TEXTS = { neural: 'Neural: a network trained on past candles.' } as const;

/** One or two sentences for users about a model's kind or state; empty while unknown. */
export function describeModel(status: ModelStatus | null): string {
  if (status === null) return '';
  if (status.state === 'not-trained') return 'Not trained yet, so it can’t forecast. Trying it costs nothing.';
  if (status.state === 'disabled') return 'Unavailable right now, so it can’t forecast. Trying it costs nothing.';
  return status.kind === null ? '' : KIND_TEXTS[status.kind];
}
