import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { BadInput } from '../../scripts/bad-input.ts';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
import { folderOfTimeframe, openShippedModels } from './shipped-models.ts';

const folders: ModelsFolder[] = [];
const folder = (): ModelsFolder => {
  const models = makeModelsFolder({ bobcat: 'sound', lion: 'sound' });
  folders.push(models);
  return models;
};

afterEach(() => {
  for (const models of folders.splice(0)) models.remove();
});

test('opens what is trained, in the order of the names, and leaves out what is not', async () => {
  const models = await openShippedModels(folder().path);

  expect(models.map(({ name }) => name)).toEqual(['bobcat', 'lion']);
  for (const { network } of models) await network.release();
});

test.each([
  ['a network of other bytes', 'model.onnx', (text: string) => `${text} `, /model\.onnx does not match the checksum/],
  ['tables of other bytes', 'paths.json', (text: string) => `${text} `, /paths\.json does not match the checksum/],
  [
    'a manifest that is no JSON',
    'manifest.json',
    (text: string) => text.slice(1),
    /manifest\.json does not have the expected content/,
  ],
  [
    'a manifest of another shape',
    'manifest.json',
    (text: string) => text.replace('neural', 'oracle'),
    /does not have the expected content/,
  ],
  [
    'other inputs',
    'manifest.json',
    (text: string) => text.replace('ln_scale', 'scale'),
    /other statics than this code/,
  ],
] as const)('refuses %s', async (_what, file, change, message) => {
  const models = folder();
  models.edit('lion', file, change);

  const opening = openShippedModels(models.path);

  await expect(opening).rejects.toThrow(BadInput);
  await expect(opening).rejects.toThrow(message);
});

test('looks for longer bars in a separate folder, and refuses models of another length', async () => {
  const models = folder();

  expect(folderOfTimeframe('models', '1min')).toBe('models');
  expect(folderOfTimeframe('models', '15min')).toBe(join('models', '15min'));
  await expect(openShippedModels(models.path, '15min')).rejects.toThrow(/bobcat forecasts 1min candles, not 15min/);
  models.edit('bobcat', 'manifest.json', (text) => text.replace('"neural"', '"neural","timeframe":"5min"'));
  await expect(openShippedModels(models.path)).rejects.toThrow(/bobcat forecasts 5min candles, not 1min/);
});

test('refuses a network that is missing, and finds nothing where no models are', async () => {
  const models = folder();
  rmSync(models.file('lion', 'model.onnx'));

  await expect(openShippedModels(models.path)).rejects.toThrow(/lion.*model\.onnx is missing/);
  await expect(openShippedModels(`${models.path}/nowhere`)).resolves.toEqual([]);
});
