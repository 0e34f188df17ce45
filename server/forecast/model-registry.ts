/**
 * Which models can forecast. Read once at start; a file that is missing, altered or unreadable disables its model with a
 * reason and never stops the server.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { type ComputedForecast, computeForecast, type ForecastSubject } from './bobcat.ts';
import { FEATURE_NAMES, SESSION_FEATURE_NAMES } from './features.ts';
import { type HarModel, harModelSchema } from './model-file.ts';
import { type StatisticalManifest, statisticalManifestSchema } from './statistical-manifest.ts';

export interface ReadyModel {
  modelVersion: string;
  manifest: StatisticalManifest;
  /** @throws AppError `market/too-few-candles`, `forecast/failed` */
  forecast(subject: ForecastSubject, candles: readonly Candle[]): ComputedForecast;
}

export type ModelState =
  | { state: 'ready'; model: ReadyModel }
  | { state: 'not-trained' }
  | { state: 'disabled'; reason: string };

export interface ModelRegistry {
  readonly states: Readonly<Record<ModelName, ModelState>>;
  /** @throws AppError `forecast/not-trained`; `forecast/failed` with `details.reason` for a disabled model */
  ready(model: ModelName): ReadyModel;
}

/** @param modelsDir  folder with one folder per model name */
export function openModelRegistry(modelsDir: string): ModelRegistry {
  const states = Object.fromEntries(
    MODEL_NAMES.map((name) => [name, openModel(join(modelsDir, name), name)]),
  ) as Record<ModelName, ModelState>;
  return {
    states,
    ready: (name) => {
      const entry = states[name];
      if (entry.state === 'ready') return entry.model;
      if (entry.state === 'not-trained') throw new AppError('forecast/not-trained', { details: { model: name } });
      throw new AppError('forecast/failed', { details: { model: name, reason: 'the model is disabled' } });
    },
  };
}

/** What the page may know: no reason of a disabled model, which may name files. */
export function modelStatuses({ states }: Pick<ModelRegistry, 'states'>): Record<ModelName, ModelStatus> {
  return { bobcat: statusOf(states.bobcat), panther: statusOf(states.panther), lion: statusOf(states.lion) };
}

function statusOf(entry: ModelState): ModelStatus {
  if (entry.state !== 'ready') return { state: entry.state, kind: null, version: null };
  const { kind, modelVersion } = entry.model.manifest;
  return { state: 'ready', kind, version: modelVersion };
}

function openModel(folder: string, name: ModelName): ModelState {
  try {
    const manifest = statisticalManifestSchema.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
    if (manifest.model !== name) return disabled(`the manifest is that of ${manifest.model}`);
    if (manifest.streamVersion !== MODELS[name].version) return disabled('the manifest has another stream version');
    if (manifest.state === 'not-trained') return { state: 'not-trained' };
    return openTrained(folder, manifest);
  } catch (error) {
    return disabled(error instanceof Error ? error.message : String(error));
  }
}

function openTrained(folder: string, manifest: StatisticalManifest): ModelState {
  const bytes = readFileSync(join(folder, manifest.file));
  if (createHash('sha256').update(bytes).digest('hex') !== manifest.sha256) {
    return disabled(`${manifest.file} does not have the checksum of the manifest`);
  }
  const isSameOrder =
    manifest.featureOrder.join() === FEATURE_NAMES.join() &&
    manifest.sessionFeatureOrder.join() === SESSION_FEATURE_NAMES.join();
  if (!isSameOrder) return disabled('the manifest has another feature order');
  const har: HarModel = harModelSchema.parse(JSON.parse(bytes.toString('utf8')));
  const { modelVersion } = manifest;
  const forecast: ReadyModel['forecast'] = (subject, candles) => computeForecast(har, modelVersion, subject, candles);
  return { state: 'ready', model: { modelVersion, manifest, forecast } };
}

function disabled(reason: string): ModelState {
  return { state: 'disabled', reason };
}
