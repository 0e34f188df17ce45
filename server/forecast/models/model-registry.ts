/** A missing, altered or unreadable file, or a wrong answer, disables its model with a reason, never the server. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { type ModelRunner, modelFilesOf } from '../inference/model-runner.ts';
import { AHEAD_CHANNELS, MINUTE_CHANNELS, STATIC_NAMES } from '../network/model-inputs.ts';
import type { ComputedForecast, NetworkSubject } from '../network/network-forecast.ts';
import { manifestSchema, type TrainedManifest } from './manifest.ts';
import { type ModelId, modelIdOf } from './model-id.ts';

export interface ReadyModel {
  modelVersion: string;
  manifest: TrainedManifest;
  /** @throws AppError as ModelRunner.forecast */
  forecast(subject: NetworkSubject, candles: readonly Candle[]): Promise<ComputedForecast>;
}

export type ModelState =
  | { state: 'ready'; model: ReadyModel }
  | { state: 'not-trained' }
  | { state: 'disabled'; reason: string };

export interface ModelRegistry {
  /** The current states of the one-minute models: one may still become disabled while the server runs. */
  readonly states: Readonly<Record<ModelName, ModelState>>;
  /** Null for a model of longer candles that no one has used yet. */
  stateOf(model: ModelName, timeframe: Timeframe): ModelState | null;
  /** The models of longer candles that have been used. */
  longer(): [ModelId, ModelState][];
  /** Of one minute. @throws AppError `forecast/not-trained`; `forecast/failed` with `details.reason` for a disabled model */
  ready(model: ModelName): ReadyModel;
  /** Of any timeframe: the first use of a model of longer candles opens it. @throws AppError as `ready` */
  open(model: ModelName, timeframe: Timeframe): Promise<ReadyModel>;
}

/** A model of longer candles that could not be opened is tried again after this long: the machine may have been busy. */
const RETRY_MS = 60_000;

/**
 * Opens the one-minute models; those of longer candles wait for their first use.
 * @param modelsDir folder with one folder per model name, and `5min` and `15min` with the same
 * @param runner computes the forecasts; its owner closes it
 * @param onDisabled  called for a model of longer candles that cannot be used
 */
export async function openModelRegistry(
  modelsDir: string,
  runner: ModelRunner,
  onDisabled: (model: ModelId, reason: string) => void = () => undefined,
): Promise<ModelRegistry> {
  const open = (name: ModelName, timeframe: Timeframe) => openModel(modelsDir, { name, timeframe }, runner);
  const opened = await Promise.all(MODEL_NAMES.map((name) => open(name, DEFAULT_TIMEFRAME)));
  const stateOf = (name: ModelName): ModelState => opened[MODEL_NAMES.indexOf(name)] ?? disabled('unknown');
  const states = { bobcat: stateOf('bobcat'), panther: stateOf('panther'), lion: stateOf('lion') };
  const longer = new Map<ModelId, LongerModel>();
  // Only now: a model lost while the others were being opened would become ready again.
  runner.onLost((id, reason) => {
    const name = MODEL_NAMES.find((known) => known === id);
    const entry = longer.get(id);
    if (name !== undefined) states[name] = disabled(reason);
    else if (entry !== undefined) Object.assign(entry, { state: disabled(reason), atMs: performance.now() });
  });

  async function openLonger(name: ModelName, timeframe: Timeframe): Promise<ModelState> {
    const id = modelIdOf(name, timeframe);
    const known = longer.get(id);
    const isSettled =
      known !== undefined && (known.state?.state !== 'disabled' || performance.now() - known.atMs < RETRY_MS);
    if (isSettled) return known.state ?? known.opening;
    const entry: LongerModel = { state: null, atMs: performance.now(), opening: open(name, timeframe) };
    longer.set(id, entry);
    const state = await entry.opening;
    // It may have been lost since.
    entry.state ??= state;
    if (state.state === 'disabled') onDisabled(id, state.reason);
    return entry.state;
  }

  return {
    states,
    stateOf: (name, timeframe) =>
      timeframe === DEFAULT_TIMEFRAME ? states[name] : (longer.get(modelIdOf(name, timeframe))?.state ?? null),
    longer: () => [...longer].flatMap(([id, { state }]) => (state === null ? [] : [[id, state]])),
    ready: (name) => readyOf(name, states[name]),
    open: async (name, timeframe) =>
      readyOf(name, timeframe === DEFAULT_TIMEFRAME ? states[name] : await openLonger(name, timeframe)),
  };
}

function readyOf(name: ModelName, entry: ModelState): ReadyModel {
  if (entry.state === 'ready') return entry.model;
  if (entry.state === 'not-trained') throw new AppError('forecast/not-trained', { details: { model: name } });
  throw new AppError('forecast/failed', { details: { model: name, reason: 'the model is disabled' } });
}

interface LongerModel {
  /** Null until it has been opened. */
  state: ModelState | null;
  /** Monotonic milliseconds of the last change. */
  atMs: number;
  opening: Promise<ModelState>;
}

/** Null for a model that cannot forecast. */
export function servingVersion(
  registry: Pick<ModelRegistry, 'stateOf'>,
  model: ModelName,
  timeframe: Timeframe = DEFAULT_TIMEFRAME,
): string | null {
  const entry = registry.stateOf(model, timeframe);
  return entry?.state === 'ready' ? entry.model.modelVersion : null;
}

/** Status for the page: without the reason of a disabled model, which may name files. */
export function modelStatuses({ states }: Pick<ModelRegistry, 'states'>): Record<ModelName, ModelStatus> {
  return { bobcat: statusOf(states.bobcat), panther: statusOf(states.panther), lion: statusOf(states.lion) };
}

function statusOf(entry: ModelState): ModelStatus {
  if (entry.state !== 'ready') return { state: entry.state, kind: null, version: null };
  const { kind, modelVersion } = entry.model.manifest;
  return { state: 'ready', kind, version: modelVersion };
}

async function openModel(
  modelsDir: string,
  { name, timeframe }: { name: ModelName; timeframe: Timeframe },
  runner: ModelRunner,
): Promise<ModelState> {
  const id = modelIdOf(name, timeframe);
  const folder = join(modelsDir, id);
  const manifestPath = join(folder, 'manifest.json');
  try {
    const manifest = manifestSchema.parse(JSON.parse(await readFile(manifestPath, 'utf8')));
    if (manifest.model !== name) return disabled(`the manifest is for ${manifest.model}`);
    if (manifest.streamVersion !== MODELS[name].version) return disabled('the manifest has a different stream version');
    if (manifest.state === 'not-trained') return { state: 'not-trained' };
    const ofTimeframe = manifest.timeframe ?? DEFAULT_TIMEFRAME;
    if (ofTimeframe !== timeframe) return disabled(`the manifest is for candles of ${ofTimeframe}`);
    const difference = differenceOf(manifest);
    if (difference !== null) return disabled(`the manifest has different ${difference} than this server`);
    await runner.open(id, modelFilesOf(folder, manifest));
    const forecast: ReadyModel['forecast'] = (subject, candles) => runner.forecast(id, subject, candles);
    return { state: 'ready', model: { modelVersion: manifest.modelVersion, manifest, forecast } };
  } catch (error) {
    // An operator's folder may have the one-minute models alone.
    if (timeframe !== DEFAULT_TIMEFRAME && isMissing(manifestPath, error)) return { state: 'not-trained' };
    return disabled(messageOf(error));
  }
}

/** The first difference between the inputs that the network was trained on and this code's; null without one. */
export function differenceOf({ input, output }: TrainedManifest): string | null {
  const pairs: [string, readonly (string | number)[], readonly (string | number)[]][] = [
    ['window lengths', [input.lookbackBars, input.minLookbackBars], [LOOKBACK_BARS, MIN_LOOKBACK_BARS]],
    ['statics', input.staticNames, STATIC_NAMES],
    ['minute channels', input.minuteChannels, MINUTE_CHANNELS],
    ['ahead channels', input.aheadChannels, AHEAD_CHANNELS],
    ['outputs', [output.horizonBars, ...output.quantileLevels], [HORIZON_BARS, ...QUANTILE_LEVELS]],
  ];
  return pairs.find(([, found, wanted]) => found.join() !== wanted.join())?.[0] ?? null;
}

function isMissing(path: string, error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT' && 'path' in error && error.path === path;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return isAppError(error) ? `${error.details.reason ?? error.code}${cause}` : error.message;
}

function disabled(reason: string): ModelState {
  return { state: 'disabled', reason };
}
