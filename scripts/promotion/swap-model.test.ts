import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelsFolder, makeModelsFolder } from '../../server/forecast/testing/model-fixtures.ts';
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

test('serves the shadow, stores the former model whole, and leaves the other models alone', async () => {
  const [former, shadow] = [versionIn(join(serving.path, 'bobcat')), versionIn(shadowDir())];
  const panther = readFileSync(serving.file('panther', 'manifest.json'), 'utf8');
  const network = readFileSync(serving.file('bobcat', 'model.onnx'));

  const archived = await swap();

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(shadow);
  expect([archived, versionIn(archived)]).toEqual([join(serving.path, 'former', former), former]);
  expect(readFileSync(join(archived, 'model.onnx'))).toEqual(network);
  expect(readdirSync(archived).sort()).toEqual(['manifest.json', 'model.onnx', 'paths.json']);
  expect(readFileSync(serving.file('panther', 'manifest.json'), 'utf8')).toBe(panther);
  expect(versionIn(shadowDir())).toBe(shadow);
  expect(readdirSync(serving.path).sort()).toEqual(['bobcat', 'former', 'lion', 'panther']);
});

test('restores the stored model', async () => {
  const former = versionIn(join(serving.path, 'bobcat'));
  const archived = await swap();

  await swapModel(serving.path, 'bobcat', archived);

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(former);
});

test.each([
  ['with an altered file', () => shadows.edit('bobcat', 'paths.json', (text) => `${text} `)],
  ['whose network is missing', () => rmSync(shadows.file('bobcat', 'model.onnx'))],
])('rejects a shadow %s before anything has changed', async (_, inject) => {
  const former = versionIn(join(serving.path, 'bobcat'));
  inject();

  await expect(swap()).rejects.toThrow();

  expect(versionIn(join(serving.path, 'bobcat'))).toBe(former);
  expect(existsSync(join(serving.path, 'former'))).toBe(false);
  expect(readdirSync(serving.path).sort()).toEqual(['bobcat', 'lion', 'panther']);
});

/** Reads repeatedly like a starting server: manifest, then its files; reports the count and any faults. */
const READER = `
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parentPort, workerData: folder } = require('node:worker_threads');
let [reads, isOver] = [0, false];
const faults = new Set();
parentPort.on('message', (word) => {
  if (word === 'over') isOver = true;
  else parentPort.postMessage('nothing is half read');
});
(function read() {
  for (let i = 0; i < 50; i++) {
    reads += 1;
    try {
      const { network, paths } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      for (const { file, sha256 } of [network, paths])
        if (createHash('sha256').update(readFileSync(join(folder, file))).digest('hex') !== sha256) faults.add('another ' + file);
    } catch (error) {
      faults.add(error.code ?? String(error));
    }
  }
  if (!isOver) return setImmediate(read);
  parentPort.postMessage({ reads, faults: [...faults] });
  parentPort.close();
})();
`;

test('shows readers a whole model at every moment of a promotion', async () => {
  const reader = new Worker(READER, { eval: true, workerData: join(serving.path, 'bobcat') });
  const request = async (message: string) => {
    const answer = once(reader, 'message');
    reader.postMessage(message);
    return (await answer)[0];
  };

  let archived = await swap();
  for (let i = 0; i < 10; i += 1) {
    // The next promotion removes the files replaced by the previous one: no reader takes that long.
    await request('has the reader finished?');
    archived = await swapModel(serving.path, 'bobcat', archived);
  }

  const { reads, faults } = await request('over');
  expect(reads).toBeGreaterThan(100);
  expect(faults).toEqual([]);
});

test('stores only the last former network beside the new one', async () => {
  const archived = await swap();
  await swapModel(serving.path, 'bobcat', archived);
  await swap();

  const networks = readdirSync(join(serving.path, 'bobcat')).filter((name) => name.endsWith('.onnx'));
  expect(networks).toHaveLength(2);
});
