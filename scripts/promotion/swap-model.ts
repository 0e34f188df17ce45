/**
 * Puts a shadow's files where the serving model's are, and keeps those. Two renames on one disk: a server that started
 * between them would find no model, and one that runs goes on with what it has opened until it is started again.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelName } from '#domain/forecast/models.ts';
import { manifestSchema, type TrainedManifest } from '../../server/forecast/manifest.ts';
import { differenceOf } from '../../server/forecast/model-registry.ts';
import { modelFilesOf } from '../../server/forecast/model-runner.ts';
import { openModelFiles } from '../../server/forecast/opened-model.ts';
import { BadInput } from '../measure/bad-input.ts';

/** @throws BadInput where there is no trained model of that name */
export function trainedManifestOf(folder: string, model: ModelName): TrainedManifest {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) throw new BadInput(`There is no model in ${folder}.`);
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success || parsed.data.state !== 'trained' || parsed.data.model !== model)
    throw new BadInput(`${folder} holds no trained ${model}.`);
  return parsed.data;
}

/**
 * @param from  the shadow's folder, which stays as it is
 * @returns folder in which the model that served until now is kept
 * @throws Error, and nothing has changed, where the shadow's files are altered or do not forecast
 */
export async function swapModel(modelsDir: string, model: ModelName, from: string): Promise<string> {
  const manifest = trainedManifestOf(from, model);
  const difference = differenceOf(manifest);
  if (difference !== null) throw new Error(`${from} was made for other ${difference} than this code has.`);
  const serving = join(modelsDir, model);
  const kept = join(modelsDir, 'former', trainedManifestOf(serving, model).modelVersion);
  const next = join(modelsDir, `.next-${manifest.modelVersion}`);
  rmSync(next, { recursive: true, force: true });
  cpSync(from, next, { recursive: true });
  try {
    // What is copied, not what was there: it must forecast before anything is moved.
    await (await openModelFiles(model, modelFilesOf(next, manifest))).release();
    mkdirSync(join(modelsDir, 'former'), { recursive: true });
    // The same version has the same files.
    rmSync(kept, { recursive: true, force: true });
    renameSync(serving, kept);
    try {
      renameSync(next, serving);
    } catch (error) {
      renameSync(kept, serving);
      throw error;
    }
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return kept;
}
