/** Writes and reads models/<name>: network, path tables, golden file, manifest, card. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODELS, type ModelName } from '../../domain/forecast/models.ts';
import { QUANTILE_LEVELS } from '../../domain/forecast/quantiles.ts';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '../../domain/forecast/window.ts';
import {
  manifestSchema,
  type StoredPathTables,
  type TrainedManifest,
  modelVersionOf as versionOfFiles,
} from '../../server/forecast/models/manifest.ts';
import type { GoldenFile } from '../../server/forecast/models/testing/golden-file.ts';
import { PATH_COUNT } from '../../server/forecast/paths/paths.ts';
import { type CandleFile, fileNameOf, sha256Of } from '../measure/candle-files.ts';
import { modelCard } from './model-card.ts';
import type { TrainingRecord } from './training-record.ts';

/** Spans as text; the rule itself is lab/measure/windows/splits.ts. */
const SPANS = {
  fit: 'before 2025-01-01, less the last 7 days of each 2023 perpetual span; shares and gold: the first third of their 2025 span, gold also 2014',
  validate:
    'January and February 2025 and the last 7 days of each 2023 perpetual span; shares and gold: the second third of their 2025 span',
  test: '2025-03-01 to 2025-04-01 (BTC, ETH spot) and May 2025 (perpetuals); shares and gold: the last third of their 2025 span',
  late: '2026, reported apart',
  purge: '51 bars before every border',
};

/** Parts of a model folder, without its golden file and its figures. */
export interface FinishedModel {
  name: ModelName;
  network: Uint8Array;
  tables: StoredPathTables;
  record: TrainingRecord;
  /** Windows for fitting the path tables and for calibrating their lengths. */
  pathWindows: { paths: Record<string, number>; lengths: Record<string, number> };
  files: readonly CandleFile[];
}

/** Version of the files that writeModelFolder will write; the server checks it for the files it reads. */
export function modelVersionOf({ name, network, tables }: FinishedModel): string {
  return versionOfFiles(name, network, Buffer.from(pathsText(tables)));
}

/** Writes everything except figures, which measuring adds. */
export function writeModelFolder(folder: string, model: FinishedModel, golden: GoldenFile): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), model.network);
  writeFileSync(join(folder, 'paths.json'), pathsText(model.tables));
  writeFileSync(join(folder, 'golden.json'), `${JSON.stringify(golden)}\n`);
  writeManifest(folder, manifestOf(model));
}

/** The manifest and its card: never one without the other. */
export function writeManifest(folder: string, manifest: TrainedManifest): void {
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`);
  writeFileSync(join(folder, 'MODEL-CARD.md'), modelCard(manifest));
}

/** null for a model that is not trained. */
export function readManifest(folder: string): TrainedManifest | null {
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  if (!parsed.success) throw new Error(`${folder}/manifest.json has another shape`, { cause: parsed.error });
  return parsed.data.state === 'trained' ? parsed.data : null;
}

function manifestOf(model: FinishedModel): TrainedManifest {
  const { name, network, tables, record, pathWindows, files } = model;
  const { parameters, timeframe, inputNames, staticNames, minuteChannels, aheadChannels, spans, windows, ...rest } =
    record;
  // The checksums are in the manifest's own `data`, for the same files: finishing refuses others.
  const { data: _, ...training } = rest;
  return {
    model: name,
    streamVersion: MODELS[name].version,
    state: 'trained',
    kind: 'neural',
    ...(timeframe === undefined || timeframe === '1min' ? {} : { timeframe }),
    modelVersion: modelVersionOf(model),
    parameters,
    network: { file: 'model.onnx', sha256: sha256Of(Buffer.from(network)) },
    paths: { file: 'paths.json', sha256: sha256Of(pathsText(tables)) },
    input: {
      lookbackBars: LOOKBACK_BARS,
      minLookbackBars: MIN_LOOKBACK_BARS,
      names: inputNames,
      staticNames,
      minuteChannels,
      aheadChannels,
    },
    output: { horizonBars: HORIZON_BARS, quantileLevels: [...QUANTILE_LEVELS], paths: PATH_COUNT },
    spans: { ...SPANS, ...spans },
    windows: { ...windows, ...pathWindows },
    training,
    data: files.map((file) => ({
      file: fileNameOf(file),
      sha256: file.sha256,
      firstS: file.candles[0]?.time ?? 0,
      lastS: file.candles.at(-1)?.time ?? 0,
      rows: file.candles.length,
    })),
    notEvaluated: [...classesWithoutWindows(windows), 'index', 'energy'],
    figures: [],
  };
}

/** Shares have no 50 bars of a quarter of an hour in one session, and gold too few. */
function classesWithoutWindows(windows: TrainingRecord['windows']): string[] {
  return Object.entries(windows?.validate ?? {}).flatMap(([name, count]) => (count === 0 ? [name] : []));
}

function pathsText(tables: StoredPathTables): string {
  return `${JSON.stringify(tables)}\n`;
}
