/** Two made-up models in a folder, finished and measured together as the shipped ones are. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelName } from '#domain/forecast/models.ts';
import { generatedCandles } from '../../server/forecast/generated-candles.ts';
import { networkBytes, PLAIN_TABLES } from '../../server/forecast/made-up-models.ts';
import { openNetwork } from '../../server/forecast/network.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { goldenFile } from './golden.ts';
import { measureModels } from './measure-folders.ts';
import { type FinishedModel, modelVersionOf, readManifest, writeModelFolder } from './model-folder.ts';
import { readTrainingRecord } from './training-record.ts';

const DAY_BARS = 1440;
const at = (iso: string): number => Date.parse(iso) / 1000;

let modelsDir: string;
beforeAll(() => {
  modelsDir = mkdtempSync(join(tmpdir(), 'kat-finished-'));
});
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));

function aCandleFile(): CandleFile {
  const span = (seed: string, startS: number, days: number) =>
    generatedCandles({ seed, count: days * DAY_BARS, startS, firstOpen: 2500, tickSize: 0.01 });
  const candles = [...span('before', at('2025-02-15T00:00:00Z'), 8), ...span('test', at('2025-03-01T00:00:00Z'), 3)];
  return { name: 'ETHUSDT', assetClass: 'crypto', tickSize: 0.01, sha256: 'f'.repeat(64), candles };
}

async function finish(name: ModelName, files: readonly CandleFile[]): Promise<string> {
  const bytes = networkBytes('sound');
  const record = { parameters: 12, inputNames: ['statics' as const, 'ahead' as const], seed: 7 };
  const tables = { ...PLAIN_TABLES, lengths: { returns: name === 'bobcat' ? 1 : 1.1, wicks: 1 } };
  const model: FinishedModel = { name, network: bytes, tables, record, pathWindows: { paths: {}, lengths: {} }, files };
  const network = await openNetwork(bytes, record.inputNames);
  const folder = join(modelsDir, name);
  writeModelFolder(folder, model, await goldenFile(network, tables, modelVersionOf(model)));
  await network.release();
  return folder;
}

test('models measured together get figures of each other; what was finished stays as it was', async () => {
  const files = [aCandleFile()];
  const folders = [await finish('bobcat', files), await finish('panther', files)];
  const before = folders.map((folder) => readManifest(folder));

  await measureModels(modelsDir, files, () => undefined, 29);

  const after = folders.map((folder) => readManifest(folder));
  expect(before.map((manifest) => manifest?.figures)).toEqual([[], []]);
  expect(after.map((manifest) => ({ ...manifest, figures: [] }))).toEqual(before);
  const [bobcat, panther] = after.map((manifest) => manifest?.figures[0]);
  expect(bobcat).toMatchObject({ group: 'crypto-test', strideMinutes: 29 });
  expect(bobcat?.skill.pairedSkillPercent.panther?.all).toEqual([0, 0, 0]);
  expect(panther?.skill.pairedSkillPercent.bobcat?.all).toEqual([0, 0, 0]);
  expect(readFileSync(join(folders[0] ?? '', 'MODEL-CARD.md'), 'utf8')).toContain(bobcat?.title);
}, 60_000);

test('a version names both the network and its path tables', () => {
  const model = { name: 'lion' as const, network: networkBytes('sound'), tables: PLAIN_TABLES };
  const other = { ...PLAIN_TABLES, alpha: 0.11 };
  const versionOf = (tables: typeof PLAIN_TABLES): string =>
    modelVersionOf({
      ...model,
      tables,
      record: { parameters: 1, inputNames: [] },
      pathWindows: { paths: {}, lengths: {} },
      files: [],
    });

  expect(versionOf(PLAIN_TABLES)).toMatch(/^lion-[0-9a-f]{10}$/);
  expect(versionOf(other)).not.toBe(versionOf(PLAIN_TABLES));
});

test.each([
  ['parameters', '{"inputNames": ["statics"]}'],
  ['inputNames', '{"parameters": 5, "inputNames": ["prices"]}'],
])('a record of a training without sound %s is refused', (field, text) => {
  const file = join(modelsDir, 'training.json');
  writeFileSync(file, text);

  expect(() => readTrainingRecord(file)).toThrow(new RegExp(`no record of a training[^]*${field}`));
});
