/** Opens a folder's trained models for measuring: the files that the server opens, checked against their manifests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_NAMES } from '../../domain/forecast/models.ts';
import type { Timeframe } from '../../domain/market/timeframes.ts';
import { BadInput } from '../../scripts/bad-input.ts';
import { manifestSchema, pathTablesSchema } from '../../server/forecast/models/manifest.ts';
import { differenceOf } from '../../server/forecast/models/model-registry.ts';
import { openNetwork } from '../../server/forecast/network/network.ts';
import { sha256Of } from './candle-files.ts';
import type { MeasuredModel } from './windows/score-windows.ts';

export interface ShippedModel extends MeasuredModel {
  /** Checksums (sha256) of its training candle files, from its manifest. */
  trainedOn: ReadonlySet<string>;
}

/** One-minute models are in the folder itself, those of a longer timeframe in a folder of its name inside. */
export function folderOfTimeframe(folder: string, timeframe: Timeframe): string {
  return timeframe === '1min' ? folder : join(folder, timeframe);
}

/**
 * @param modelsDir  one folder per model name; missing and untrained ones are left out
 * @throws BadInput if a trained model is unreadable, altered or of another timeframe
 */
export async function openShippedModels(modelsDir: string, timeframe: Timeframe = '1min'): Promise<ShippedModel[]> {
  const models: ShippedModel[] = [];
  for (const name of MODEL_NAMES) {
    const folder = join(modelsDir, name);
    if (!existsSync(join(folder, 'manifest.json'))) continue;
    const manifest = parsed(join(folder, 'manifest.json'), (json) => manifestSchema.parse(json));
    if (manifest.state !== 'trained') continue;
    if ((manifest.timeframe ?? '1min') !== timeframe) {
      throw new BadInput(`${folder} forecasts ${manifest.timeframe ?? '1min'} candles, not ${timeframe}`);
    }
    const difference = differenceOf(manifest);
    if (difference !== null) throw new BadInput(`${folder} was trained with other ${difference} than this code uses`);
    const { modelVersion, input } = manifest;
    const network = await openNetwork(checked(folder, manifest.network), input.names);
    checked(folder, manifest.paths);
    const tables = parsed(join(folder, manifest.paths.file), (json) => pathTablesSchema.parse(json));
    const trainedOn = new Set(manifest.data.map((file) => file.sha256));
    models.push({ name, modelVersion, network, tables, trainedOn });
  }
  return models;
}

function checked(folder: string, { file, sha256 }: { file: string; sha256: string }): Buffer {
  const path = join(folder, file);
  if (!existsSync(path)) throw new BadInput(`${path} is missing`);
  const bytes = readFileSync(path);
  if (sha256Of(bytes) !== sha256) throw new BadInput(`${path} does not match the checksum in its manifest`);
  return bytes;
}

function parsed<T>(path: string, parse: (json: unknown) => T): T {
  try {
    return parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BadInput(`${path} does not have the expected content`, { cause: error });
  }
}
