import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import type { LossListener, ModelRunner } from '../inference/model-runner.ts';
import { type ModelsFolder, makeModelsFolder, networkBytes } from '../testing/model-fixtures.ts';
import { generatedCandles } from './generated-candles.ts';
import { modelVersionOf } from './manifest.ts';
import { type ModelRegistry, modelStatuses, openModelRegistry } from './model-registry.ts';
import { inProcessRunner } from './opened-model.ts';

let folder: ModelsFolder;
let runner: ModelRunner;

beforeEach(() => {
  folder = makeModelsFolder({ bobcat: 'sound', lion: 'sound' });
  runner = inProcessRunner();
});

afterEach(async () => {
  await runner.close();
  folder.remove();
});

const open = (): Promise<ModelRegistry> => openModelRegistry(folder.path, runner);
const editManifest = (from: string | RegExp, to: string): void =>
  folder.edit('bobcat', 'manifest.json', (text) => text.replace(from, to));

const BTC = { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.1 } as const;
const CANDLES = generatedCandles({ seed: 'registry', count: 450, firstOpen: 60_000, tickSize: 0.1 });

test('forecasts with trained models, and refuses the untrained one with forecast/not-trained', async () => {
  const registry = await open();

  const { path } = await registry.ready('bobcat').forecast(BTC, CANDLES);

  expect(path).toHaveLength(50);
  expect(registry.ready('lion').modelVersion).toMatch(/^lion-[0-9a-f]{10}$/);
  expect(codeOf(() => registry.ready('panther'))).toBe('forecast/not-trained');
});

/** Updates the checksum in the manifest too, so that a fault shows only when the network is opened. */
function replaceNetwork(bytes: Buffer): void {
  const sha256 = (of: Buffer): string => createHash('sha256').update(of).digest('hex');
  editManifest(sha256(networkBytes('sound')), sha256(bytes));
  editManifest(
    /bobcat-[0-9a-f]{10}/,
    modelVersionOf('bobcat', bytes, readFileSync(folder.file('bobcat', 'paths.json'))),
  );
  writeFileSync(folder.file('bobcat', 'model.onnx'), bytes);
}

test.each<[string, () => void, RegExp]>([
  ['a network with one byte altered', () => flipByte('model.onnx'), /model\.onnx does not match the checksum/],
  ['path tables altered', () => folder.edit('bobcat', 'paths.json', (t) => t.replace('0.85', '0.86')), /paths\.json/],
  [
    'the version of other files',
    () => editManifest(/bobcat-[0-9a-f]{10}/, 'bobcat-0123456789'),
    /the manifest to bobcat-0123/,
  ],
  ['the version of another model', () => editManifest(/bobcat-([0-9a-f]{10})/, 'lion-$1'), /the manifest to lion-/],
  ['no network', () => rmSync(folder.file('bobcat', 'model.onnx')), /ENOENT/],
  ['no path tables', () => rmSync(folder.file('bobcat', 'paths.json')), /ENOENT/],
  ['no manifest', () => rmSync(folder.file('bobcat', 'manifest.json')), /ENOENT/],
  ['a torn manifest', () => folder.edit('bobcat', 'manifest.json', (t) => t.slice(0, 200)), /JSON/],
  ['a manifest of another kind', () => editManifest('"neural"', '"statistical"'), /neural/],
  ['another model name', () => editManifest('"bobcat"', '"lion"'), /manifest is for lion/],
  ['another stream version', () => editManifest('213', '999'), /stream version/],
  ['statics in another order', () => editManifest('"ln_scale"', '"ln_size"'), /different statics/],
  ['other minute channels', () => editManifest('"asinh_return"', '"return"'), /different minute channels/],
  ['other calendar channels', () => editManifest('"calendar_slot"', '"slot"'), /different ahead channels/],
  ['another lookback', () => editManifest('"lookbackBars": 450', '"lookbackBars": 400'), /different window lengths/],
  ['inputs that the network does not read', () => editManifest('"statics",', '"minutes",'), /inputs are/],
  ['a file that is no network', () => replaceNetwork(Buffer.from('no network')), /protobuf/i],
  ['outputs of other shapes', () => replaceNetwork(networkBytes('short')), /log_variance is float32 \[1,49\]/],
  [
    'outputs that are no numbers',
    () => replaceNetwork(networkBytes('nan-always')),
    /first forecast failed: log variance is not plausible/,
  ],
])('disables only the model with %s, and states the reason', async (_what, corrupt, reason) => {
  corrupt();

  const registry = await open();

  expect(registry.states.bobcat).toEqual({ state: 'disabled', reason: expect.stringMatching(reason) });
  expect(codeOf(() => registry.ready('bobcat'))).toBe('forecast/failed');
  expect((await registry.ready('lion').forecast(BTC, CANDLES)).path).toHaveLength(50);
  expect(registry.states.panther.state).toBe('not-trained');
});

test('publishes state, kind and version of each model, without a reason that contains a path', async () => {
  rmSync(join(folder.path, 'panther'), { recursive: true });

  const statuses = modelStatuses(await open());

  expect(statuses).toEqual({
    bobcat: { state: 'ready', kind: 'neural', version: expect.stringMatching(/^bobcat-[0-9a-f]{10}$/) },
    panther: { state: 'disabled', kind: null, version: null },
    lion: { state: 'ready', kind: 'neural', version: expect.stringMatching(/^lion-[0-9a-f]{10}$/) },
  });
});

test('disables every model when the folder is missing, without throwing', async () => {
  const registry = await openModelRegistry(join(folder.path, 'nowhere'), runner);

  expect(Object.values(registry.states).map((s) => s.state)).toEqual(['disabled', 'disabled', 'disabled']);
});

test('opens a model of longer candles with its first use, once for all who wait', async () => {
  const longer = makeModelsFolder({ lion: 'sound' }, { path: join(folder.path, '5min'), timeframe: '5min' });
  const opened: string[] = [];
  const registry = await openModelRegistry(folder.path, {
    ...runner,
    open: (id, files) => {
      opened.push(id);
      return runner.open(id, files);
    },
  });
  // The one-minute models are read from disk in parallel.
  expect(opened.splice(0).sort()).toEqual(['bobcat', 'lion']);
  expect([registry.stateOf('lion', '5min'), registry.longer()]).toEqual([null, []]);

  const [lion, same] = await Promise.all([registry.open('lion', '5min'), registry.open('lion', '5min')]);
  const { path } = await lion.forecast(BTC, generatedCandles({ seed: 'longer', count: 450, tickSize: 0.1, barS: 300 }));

  expect([opened, same]).toEqual([['5min/lion'], lion]);
  expect(path.map(({ time }) => time - (path[0]?.time ?? 0))).toEqual(Array.from({ length: 50 }, (_, i) => 300 * i));
  expect(registry.stateOf('lion', '5min')?.state).toBe('ready');
  await expect(registry.open('panther', '5min')).rejects.toMatchObject({ code: 'forecast/not-trained' });
  longer.remove();
});

test('refuses a model of another timeframe, and reports why', async () => {
  makeModelsFolder({ lion: 'sound' }, { path: join(folder.path, '15min'), timeframe: '5min' });
  const reported: string[][] = [];
  const registry = await openModelRegistry(folder.path, runner, (...why) => reported.push(why));

  await expect(registry.open('lion', '15min')).rejects.toMatchObject({ code: 'forecast/failed' });

  const reason = 'the manifest is for candles of 5min';
  expect(reported).toEqual([['15min/lion', reason]]);
  expect(registry.longer()).toEqual([['15min/lion', { state: 'disabled', reason }]]);
});

test('loses a model of longer candles without the one-minute model of its name', async () => {
  makeModelsFolder({ lion: 'sound' }, { path: join(folder.path, '5min'), timeframe: '5min' });
  const listeners: LossListener[] = [];
  const registry = await openModelRegistry(folder.path, { ...runner, onLost: (listener) => listeners.push(listener) });
  await registry.open('lion', '5min');

  for (const notify of listeners) notify('5min/lion', 'the file is deleted');

  await expect(registry.open('lion', '5min')).rejects.toMatchObject({ code: 'forecast/failed' });
  expect((await registry.open('lion', '1min')).modelVersion).toBe(registry.ready('lion').modelVersion);
});

test('disables a model that is lost while the server runs', async () => {
  const listeners: LossListener[] = [];
  const registry = await openModelRegistry(folder.path, {
    ...runner,
    onLost: (listener) => listeners.push(listener),
  });

  for (const notify of listeners) notify('bobcat', 'the file is deleted');

  expect(modelStatuses(registry).bobcat.state).toBe('disabled');
  expect(codeOf(() => registry.ready('bobcat'))).toBe('forecast/failed');
});

test('keeps an open model usable after its files were deleted', async () => {
  const { forecast } = (await open()).ready('bobcat');
  rmSync(folder.file('bobcat', 'model.onnx'));

  expect((await forecast(BTC, CANDLES)).path).toHaveLength(50);
});

function flipByte(name: string): void {
  const bytes = readFileSync(folder.file('bobcat', name));
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  writeFileSync(folder.file('bobcat', name), bytes);
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'nothing thrown';
}
