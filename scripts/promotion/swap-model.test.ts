import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/made-up-models.ts';
import { swapModel, trainedManifestOf } from './swap-model.ts';

let serving: ModelsFolder;
let shadows: ModelsFolder;

beforeEach(() => {
  serving = makeModelsFolder({ bobcat: 'sound', panther: 'sound' });
  shadows = makeModelsFolder({ bobcat: 'nan-when-wild' });
});
afterEach(() => {
  serving.remove();
  shadows.remove();
});

const versionIn = (folder: string): string => trainedManifestOf(folder, 'bobcat').modelVersion;
const shadowDir = (): string => join(shadows.path, 'bobcat');
const swap = (): Promise<string> => swapModel(serving.path, 'bobcat', shadowDir());

test('the shadow serves, the former one is kept whole, the other models are not touched', async () => {
  const [former, shadow] = [versionIn(join(serving.path, 'bobcat')), versionIn(shadowDir())];
  const panther = readFileSync(serving.file('panther', 'manifest.json'), 'utf8');
  const network = readFileSync(serving.file('bobcat', 'model.onnx'));

  const kept = await swap();

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(shadow);
  expect([kept, versionIn(kept)]).toEqual([join(serving.path, 'former', former), former]);
  expect(readFileSync(join(kept, 'model.onnx'))).toEqual(network);
  expect(readFileSync(serving.file('panther', 'manifest.json'), 'utf8')).toBe(panther);
  expect(versionIn(shadowDir())).toBe(shadow);
  expect(readdirSync(serving.path).sort()).toEqual(['bobcat', 'former', 'lion', 'panther']);
});

test('there and back again: the one that was kept can serve once more', async () => {
  const former = versionIn(join(serving.path, 'bobcat'));
  const kept = await swap();

  await swapModel(serving.path, 'bobcat', kept);

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(former);
});

test.each([
  ['with an altered file', () => shadows.edit('bobcat', 'paths.json', (text) => `${text} `)],
  ['whose network is missing', () => rmSync(shadows.file('bobcat', 'model.onnx'))],
])('a shadow %s is refused before anything has changed', async (_, spoil) => {
  const former = versionIn(join(serving.path, 'bobcat'));
  spoil();

  await expect(swap()).rejects.toThrow();

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(former);
  expect(existsSync(join(serving.path, 'former'))).toBe(false);
  expect(readdirSync(serving.path).sort()).toEqual(['bobcat', 'lion', 'panther']);
});
