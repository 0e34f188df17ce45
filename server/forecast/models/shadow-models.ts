/**
 * Models that run unseen, so that the public record can compare them: the same code and candles in a separate process.
 * A shadow's fault never affects a user.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import type { Core } from '../../core.ts';
import type { CandleHistory } from '../../market/candles/candle-history.ts';
import type { Forecasts } from '../forecast.ts';
import { openForecasts } from '../forecast-cache.ts';
import { openInference } from '../inference/inference-client.ts';
import type { PathKeyOf } from '../paths/path-keys.ts';
import type { ReleasesOf } from '../releases/release-widening.ts';
import { type ModelRegistry, type ModelState, openModelRegistry, servingVersion } from './model-registry.ts';

export interface ShadowModels {
  /** Not corrected by the record, because no user sees a shadow's bands. Not shared with other processes. */
  forecasts: Forecasts;
  registry: Pick<ModelRegistry, 'states' | 'stateOf'>;
  close(): Promise<void>;
}

export interface ShadowOptions extends Pick<Core, 'clock' | 'log'> {
  /** Folder with one folder for each model that has a shadow, with the same files as models/. */
  dir: string;
  serving: Pick<ModelRegistry, 'stateOf'>;
  history: CandleHistory;
  releasesOf?: ReleasesOf | undefined;
  pathKeyOf: PathKeyOf;
  timeoutMs: number;
}

/** Never rejects for a faulty shadow: it is logged and left out. @returns null without the folder */
export async function openShadowModels(options: ShadowOptions): Promise<ShadowModels | null> {
  const { dir, serving, history, clock, log, releasesOf, pathKeyOf, timeoutMs } = options;
  if (!existsSync(dir)) return null;
  const inference = openInference({ log, timeoutMs, isLowPriority: true });
  const opened = await openModelRegistry(dir, inference);
  const leftOut = new Map<ModelName, ModelState>();
  for (const model of MODEL_NAMES) {
    const version = servingVersion(opened, model);
    if (!existsSync(join(dir, model))) leftOut.set(model, { state: 'not-trained' });
    // Two records of one forecast would prove nothing.
    else if (version !== null && version === servingVersion(serving, model))
      leftOut.set(model, { state: 'disabled', reason: 'this version is already serving' });
  }
  const stateOf = (model: ModelName): ModelState => leftOut.get(model) ?? opened.states[model];
  for (const model of MODEL_NAMES) {
    const entry = stateOf(model);
    if (entry.state === 'disabled') log.error({ model, reason: entry.reason }, 'a shadow model is disabled');
    if (entry.state === 'ready') log.info({ model, version: entry.model.modelVersion }, 'a shadow model is running');
  }
  const registry: ModelRegistry = {
    get states() {
      return { bobcat: stateOf('bobcat'), panther: stateOf('panther'), lion: stateOf('lion') };
    },
    longer: () => opened.longer(),
    stateOf: (model, timeframe) => opened.stateOf(model, timeframe),
    ready: (model) => opened.ready(model),
    open: (model, timeframe) => opened.open(model, timeframe),
  };
  return {
    forecasts: openForecasts({ history, registry, clock, log, releasesOf, pathKeyOf }),
    registry,
    close: () => inference.close(),
  };
}
