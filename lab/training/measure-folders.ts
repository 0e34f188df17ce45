/** Measures a folder's trained models in one run, so that paired figures exist, and writes the figures beside them. */
import { join } from 'node:path';
import type { GroupFigures } from '../../domain/forecast/model-figures.ts';
import type { ModelName } from '../../domain/forecast/models.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { type GroupResult, measureGroups } from '../measure/measure.ts';
import { standardGroups } from '../measure/measured-symbols.ts';
import { openShippedModels } from '../measure/shipped-models.ts';
import { readManifest, writeManifest } from './model-folder.ts';

/**
 * Networks, tables and versions are unchanged; writes nothing if a figure is too good to be true.
 * @param files  of the timeframe that the models forecast
 * @returns reasons to suspect a leak; usually empty
 */
export async function measureModels(
  modelsDir: string,
  files: readonly CandleFile[],
  log: (line: string) => void,
  strideMinutes: number,
): Promise<string[]> {
  const models = await openShippedModels(modelsDir, files[0]?.timeframe);
  try {
    log(`measuring ${models.map(({ modelVersion }) => modelVersion).join(', ')} every ${strideMinutes} minutes`);
    const results = await measureGroups(models, standardGroups(files, strideMinutes), { log });
    const suspicions = models.flatMap(({ name }) => suspicionsOf(name, results));
    if (suspicions.length > 0) {
      for (const line of suspicions) log(`suspected leak: ${line}`);
      log('nothing written');
      return suspicions;
    }
    for (const { name, modelVersion } of models) {
      const folder = join(modelsDir, name);
      const manifest = readManifest(folder);
      if (manifest?.modelVersion !== modelVersion) throw new Error(`${folder} changed while it was measured`);
      writeManifest(folder, { ...manifest, figures: figuresOf(name, results, strideMinutes) });
      log(`figures of ${modelVersion} written`);
    }
    return [];
  } finally {
    for (const { network } of models) await network.release();
  }
}

function figuresOf(name: ModelName, results: readonly GroupResult[], strideMinutes: number): GroupFigures[] {
  return results.flatMap(({ group, models }) => {
    const result = models.get(name);
    if (result === undefined) return [];
    const { skill, realism, withheld } = result;
    return [{ group: group.name, title: group.title, strideMinutes, withheld, skill, realism }];
  });
}

function suspicionsOf(name: ModelName, results: readonly GroupResult[]): string[] {
  return results.flatMap(({ group, models }) =>
    (models.get(name)?.suspectedLeak ?? []).map((reason) => `${name}, ${group.name}: ${reason}`),
  );
}
