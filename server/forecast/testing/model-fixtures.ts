/** Writes a folder of models for tests: small networks from tests/support/networks and plain path tables. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import { QUANTILE_LEVELS } from '#domain/forecast/quantiles.ts';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { modelVersionOf, type StoredPathTables, type TrainedManifest } from '../models/manifest.ts';
import { AHEAD_CHANNELS, MINUTE_CHANNELS, STATIC_NAMES } from '../network/model-inputs.ts';

/** A market with more than 2% a minute is wild; below that every network works, except `nan-always` and `short`. */
export type TestNetwork =
  | 'sound'
  | 'nan-always'
  | 'nan-when-wild'
  | 'throws-when-wild'
  | 'endless-always'
  | 'endless-when-wild'
  | 'short';

export interface ModelsFolder {
  path: string;
  /** Path of a file of one model, to read or to corrupt. */
  file(model: ModelName, name: string): string;
  edit(model: ModelName, name: string, change: (text: string) => string): void;
  remove(): void;
}

const NETWORKS_DIR = join(import.meta.dirname, '../../../tests/support/networks');
const HALF_NORMAL = [0, 0.32, 0.67, 1.15, 1.64, 2.58, 4];
const WICKS = [0, 0.1, 0.3, 0.6, 1, 1.8, 3];
const PROBABILITIES = [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1];

/** Tables of a plain market: normal returns, wicks of about half a body. */
export const PLAIN_TABLES: StoredPathTables = {
  alpha: 0.1,
  beta: 0.85,
  wickiness: { centre: 0, returnSlope: 0, wickSlope: 0 },
  lengths: { returns: 1, wicks: 1 },
  probabilities: PROBABILITIES,
  absReturn: [HALF_NORMAL, HALF_NORMAL],
  returnEdges: [0.67],
  previousEdges: [1],
  wicks: [
    [WICKS, WICKS],
    [WICKS, WICKS],
  ],
  aheadShare: [PROBABILITIES, PROBABILITIES],
};

export function networkBytes(network: TestNetwork): Buffer {
  return readFileSync(join(NETWORKS_DIR, `${network}.onnx`));
}

/** Models without a network are not trained. @param place  a folder inside another one, for models of longer candles */
export function makeModelsFolder(
  networks: Partial<Record<ModelName, TestNetwork>>,
  place: { path: string; timeframe: Timeframe } | null = null,
): ModelsFolder {
  const path = place?.path ?? mkdtempSync(join(tmpdir(), 'kat-models-'));
  const file = (model: ModelName, name: string): string => join(path, model, name);
  for (const model of MODEL_NAMES) {
    mkdirSync(join(path, model), { recursive: true });
    const network = networks[model];
    const untrained = { model, streamVersion: MODELS[model].version, state: 'not-trained' };
    const manifest = network === undefined ? untrained : manifestOf(model, network, place?.timeframe);
    writeFileSync(file(model, 'manifest.json'), JSON.stringify(manifest, null, 1));
    if (network === undefined) continue;
    writeFileSync(file(model, 'model.onnx'), networkBytes(network));
    writeFileSync(file(model, 'paths.json'), JSON.stringify(PLAIN_TABLES));
  }
  return {
    path,
    file,
    edit: (model, name, change) => writeFileSync(file(model, name), change(readFileSync(file(model, name), 'utf8'))),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function manifestOf(model: ModelName, network: TestNetwork, timeframe?: Timeframe): TrainedManifest {
  const bytes = networkBytes(network);
  const tables = JSON.stringify(PLAIN_TABLES);
  return {
    model,
    streamVersion: MODELS[model].version,
    state: 'trained',
    kind: 'neural',
    ...(timeframe === undefined ? {} : { timeframe }),
    modelVersion: modelVersionOf(model, bytes, Buffer.from(tables)),
    parameters: 1,
    network: { file: 'model.onnx', sha256: sha256(bytes) },
    paths: { file: 'paths.json', sha256: sha256(Buffer.from(tables)) },
    input: {
      lookbackBars: LOOKBACK_BARS,
      minLookbackBars: MIN_LOOKBACK_BARS,
      names: ['statics', 'ahead'],
      staticNames: [...STATIC_NAMES],
      minuteChannels: [...MINUTE_CHANNELS],
      aheadChannels: [...AHEAD_CHANNELS],
    },
    output: { horizonBars: HORIZON_BARS, quantileLevels: [...QUANTILE_LEVELS], paths: 64 },
    spans: {},
    windows: {},
    training: {},
    data: [],
    notEvaluated: ['index', 'energy'],
    figures: [],
  };
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
