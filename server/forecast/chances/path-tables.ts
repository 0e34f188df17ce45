/** The tables that a model's paths are drawn from. The network's own process has them too, but draws other paths. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { pathTablesSchema, type StoredPathTables } from '../models/manifest.ts';
import { modelIdOf } from '../models/model-id.ts';
import type { ModelRegistry } from '../models/model-registry.ts';

/** Null for a model without readable tables: only questions that need paths are refused then. */
export type TablesOf = (model: ModelName, timeframe: Timeframe) => Promise<StoredPathTables | null>;

export interface PathTablesDeps {
  modelsDir: string;
  registry: Pick<ModelRegistry, 'open'>;
  log: Logger;
}

/** Reads each model's tables once for each version that serves. */
export function pathTablesReader({ modelsDir, registry, log }: PathTablesDeps): TablesOf {
  const read = new Map<string, { version: string; tables: Promise<StoredPathTables | null> }>();
  return async (model, timeframe) => {
    const id = modelIdOf(model, timeframe);
    const { modelVersion, manifest } = await registry.open(model, timeframe);
    const known = read.get(id);
    if (known?.version === modelVersion) return known.tables;
    const { file, sha256 } = manifest.paths;
    const tables = readTables(join(modelsDir, id, file), sha256).catch((error: unknown) => {
      log.error({ err: error, model: id }, 'the path tables of a model cannot be read');
      return null;
    });
    read.set(id, { version: modelVersion, tables });
    return tables;
  };
}

async function readTables(file: string, sha256: string): Promise<StoredPathTables> {
  const bytes = await readFile(file);
  if (hash('sha256', bytes) !== sha256) throw new Error('the file does not match the checksum in the manifest');
  return pathTablesSchema.parse(JSON.parse(bytes.toString('utf8')));
}
