/**
 * The new files are written beside the serving ones, and one rename of the manifest switches to them. So a starting
 * server always finds a whole model, and a killed promotion has either happened or not. A running server continues
 * until its restart.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { ModelName } from '#domain/forecast/models.ts';
import { modelFilesOf } from '../../server/forecast/inference/model-runner.ts';
import { MODEL_FILES, manifestSchema, type TrainedManifest } from '../../server/forecast/models/manifest.ts';
import { differenceOf } from '../../server/forecast/models/model-registry.ts';
import { openModelFiles } from '../../server/forecast/models/opened-model.ts';
import { BadInput } from '../bad-input.ts';

/** @throws BadInput if there is no trained model of that name */
export function trainedManifestOf(folder: string, model: ModelName): TrainedManifest {
  const path = join(folder, 'manifest.json');
  if (!existsSync(path)) throw new BadInput(`There is no model in ${folder}.`);
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!parsed.success || parsed.data.state !== 'trained' || parsed.data.model !== model)
    throw new BadInput(`${folder} contains no trained ${model}.`);
  return parsed.data;
}

/**
 * @returns the folder with the archived previous model
 * @throws Error, and the same model serves as before, if the shadow's files are altered or do not forecast
 */
export async function swapModel(modelsDir: string, model: ModelName, from: string): Promise<string> {
  const manifest = trainedManifestOf(from, model);
  const difference = differenceOf(manifest);
  if (difference !== null) throw new Error(`${from} was made for different ${difference} than this code’s.`);
  const serving = join(modelsDir, model);
  const former = trainedManifestOf(serving, model);
  // Files of the last promotion: anyone who read the manifest before it has opened them long ago.
  removeUnnamed(serving, [former]);
  const next = { ...manifest, ...versionedFiles(manifest) };
  try {
    for (const part of ['network', 'paths'] as const)
      putFile(join(from, manifest[part].file), join(serving, next[part].file));
    // Tests the copies, not the originals: the model must forecast before it serves.
    await (await openModelFiles(model, modelFilesOf(serving, next))).release();
    const archived = archive(serving, former, join(modelsDir, 'former'));
    const whole = z.record(z.string(), z.unknown()).parse(readJson(from));
    putText(`${JSON.stringify({ ...whole, ...versionedFiles(manifest) }, null, 1)}\n`, join(serving, MANIFEST));
    for (const name of otherFiles(from)) putFile(join(from, name), join(serving, name));
    return archived;
  } catch (error) {
    removeUnnamed(serving, [former, trainedManifestOf(serving, model)]);
    throw error;
  }
}

const MANIFEST = 'manifest.json';

function readJson(folder: string): unknown {
  return JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
}

/** Names unique to the version, so that two versions fit in one folder. */
function versionedFiles({ modelVersion, network, paths }: TrainedManifest): Pick<TrainedManifest, 'network' | 'paths'> {
  return {
    network: { ...network, file: `model-${modelVersion}.onnx` },
    paths: { ...paths, file: `paths-${modelVersion}.json` },
  };
}

/** The model card, the golden forecasts and any other file, except networks, tables and unfinished copies. */
function otherFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name !== MANIFEST && !isModelFile(name) && !name.endsWith(PARTIAL));
}

const PARTIAL = '.begun';

function isModelFile(name: string): boolean {
  return MODEL_FILES.network.test(name) || MODEL_FILES.paths.test(name);
}

function removeUnnamed(folder: string, manifests: readonly TrainedManifest[]): void {
  const named = new Set(manifests.flatMap(({ network, paths }) => [network.file, paths.file]));
  for (const name of readdirSync(folder))
    if ((isModelFile(name) && !named.has(name)) || name.endsWith(PARTIAL)) rmSync(join(folder, name));
}

function archive(serving: string, former: TrainedManifest, formerDir: string): string {
  const archived = join(formerDir, former.modelVersion);
  const partial = `${archived}${PARTIAL}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  for (const name of [MANIFEST, former.network.file, former.paths.file, ...otherFiles(serving)])
    cpSync(join(serving, name), join(partial, name));
  // The same version has the same files.
  rmSync(archived, { recursive: true, force: true });
  renameSync(partial, archived);
  return archived;
}

/** A reader finds either the old file or the new one, never a part of it. */
function putFile(from: string, to: string): void {
  cpSync(from, to + PARTIAL);
  renameSync(to + PARTIAL, to);
}

function putText(text: string, to: string): void {
  writeFileSync(to + PARTIAL, text);
  renameSync(to + PARTIAL, to);
}
