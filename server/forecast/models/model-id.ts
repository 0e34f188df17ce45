/** Which of the shipped models: by name and timeframe, as its folder under models/ is called. */
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';

/** `lion` reads minutes, `5min/lion` longer bars. */
export type ModelId = ModelName | `${Exclude<Timeframe, typeof DEFAULT_TIMEFRAME>}/${ModelName}`;

export function modelIdOf(model: ModelName, timeframe: Timeframe): ModelId {
  return timeframe === DEFAULT_TIMEFRAME ? model : `${timeframe}/${model}`;
}

export const MODEL_IDS: readonly ModelId[] = TIMEFRAMES.flatMap((timeframe) =>
  MODEL_NAMES.map((model) => modelIdOf(model, timeframe)),
);

export function modelNameOf(id: ModelId): ModelName {
  const name = MODEL_NAMES.find((model) => id === model || id.endsWith(`/${model}`));
  if (name === undefined) throw new Error(`no model is called ${id}`);
  return name;
}
