/** Which models a user may pick, and which one stands there first. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';

/** Not chosen for anyone: the server refuses them until their weights ship. They can still be picked. */
const UNTRAINED_MODELS: ReadonlySet<ModelName> = new Set(['panther', 'lion']);

export interface ModelOption {
  value: ModelName;
  label: string;
  isLocked: boolean;
  title?: string;
}

/** Every model; those outside the plan are locked. */
export function modelOptions({ models }: Entitlement): ModelOption[] {
  return MODEL_NAMES.map((name) => {
    const { label } = MODELS[name];
    return models.includes(name)
      ? { value: name, label, isLocked: false }
      : { value: name, label, isLocked: true, title: 'Upgrade to unlock' };
  });
}

/** The best allowed model that has weights, the best allowed one otherwise; null when none is allowed. */
export function defaultModel({ models }: Entitlement): ModelName | null {
  const bestFirst = MODEL_NAMES.toReversed().filter((name) => models.includes(name));
  return bestFirst.find((name) => !UNTRAINED_MODELS.has(name)) ?? bestFirst[0] ?? null;
}
