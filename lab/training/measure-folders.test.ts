/** Two fixture models in a folder, finished and measured together as the shipped ones are. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelName } from '../../domain/forecast/models.ts';
import { generatedCandles } from '../../server/forecast/models/generated-candles.ts';
import { AHEAD_CHANNELS, MINUTE_CHANNELS, STATIC_NAMES } from '../../server/forecast/network/model-inputs.ts';
import { openNetwork } from '../../server/forecast/network/network.ts';
import { networkBytes, PLAIN_TABLES } from '../../server/forecast/testing/model-fixtures.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import { measureModels } from './measure-folders.ts';
import { type FinishedModel, modelVersionOf, readManifest, writeModelFolder } from './model-folder.ts';
import { goldenFile } from './python/golden.ts';
import { assertTrainedOnThese, readTrainingRecord, type TrainingRecord } from './training-record.ts';

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
  return { name: 'ETHUSDT', assetClass: 'crypto', sha256: 'f'.repeat(64), timeframe: '1min', candles };
}

function aRecord(): TrainingRecord & { seed: number } {
  return {
    parameters: 12,
    inputNames: ['statics', 'ahead'],
    staticNames: [...STATIC_NAMES],
    minuteChannels: [...MINUTE_CHANNELS],
    aheadChannels: [...AHEAD_CHANNELS],
    data: [{ file: 'ETHUSDT-1m.csv.gz', sha256: 'f'.repeat(64) }],
    seed: 7,
  };
}

async function finish(name: ModelName, files: readonly CandleFile[]): Promise<string> {
  const bytes = networkBytes('sound');
  const record = aRecord();
  const tables = { ...PLAIN_TABLES, lengths: { returns: name === 'bobcat' ? 1 : 1.1, wicks: 1 } };
  const model: FinishedModel = { name, network: bytes, tables, record, pathWindows: { paths: {}, lengths: {} }, files };
  const network = await openNetwork(bytes, record.inputNames);
  const folder = join(modelsDir, name);
  writeModelFolder(folder, model, await goldenFile(network, tables, modelVersionOf(model)));
  await network.release();
  return folder;
}

test('gives models measured together paired figures, and leaves finished ones alone', async () => {
  const files = [aCandleFile()];
  const folders = [await finish('bobcat', files), await finish('panther', files)];
  const before = folders.map((folder) => readManifest(folder));

  const suspicions = await measureModels(modelsDir, files, () => undefined, 29);

  expect(suspicions).toEqual([]);
  const after = folders.map((folder) => readManifest(folder));
  expect(before.map((manifest) => manifest?.figures)).toEqual([[], []]);
  expect(after.map((manifest) => ({ ...manifest, figures: [] }))).toEqual(before);
  const [bobcat, panther] = after.map((manifest) => manifest?.figures[0]);
  expect(bobcat).toMatchObject({ group: 'crypto-test', strideMinutes: 29 });
  expect(bobcat?.skill.pairedSkillPercent.panther?.all).toEqual([0, 0, 0]);
  expect(panther?.skill.pairedSkillPercent.bobcat?.all).toEqual([0, 0, 0]);
  expect(readFileSync(join(folders[0] ?? '', 'MODEL-CARD.md'), 'utf8')).toContain(bobcat?.title);
});

test('writes no figures that are too good to be true', async () => {
  const file = aCandleFile();
  const before = file.candles.findIndex((c) => c.time >= at('2025-03-01T00:00:00Z'));
  // A past that is flat except for rare jumps teaches log-HAR nothing about the measured span.
  const still = (c: (typeof file.candles)[number], i: number) => {
    const [open, close] = [i, i + 1].map((n) => 2500 * (n % 100 === 0 ? 1.01 : 1));
    const [low = 0, high = 0] = [open, close].sort((a = 0, b = 0) => a - b);
    return { ...c, open: open ?? 0, close: close ?? 0, low, high };
  };
  const files = [{ ...file, candles: file.candles.map((c, i) => (i < before ? still(c, i) : c)) }];
  const folder = await finish('bobcat', files);
  const lines: string[] = [];

  const suspicions = await measureModels(modelsDir, files, (line) => lines.push(line), 29);

  expect(suspicions.join()).toMatch(/bobcat, crypto-test: CRPS skill over log-HAR at h\d+ is \d/);
  expect(lines.at(-1)).toBe('nothing written');
  expect(readManifest(folder)?.figures).toEqual([]);
});

test('rejects a stride that shares a factor with 60 before anything is read', () => {
  const script = join(import.meta.dirname, 'measure-models.ts');

  const { status, stderr } = spawnSync(process.execPath, [script, '--data', 'nowhere', '--stride', '35'], {
    encoding: 'utf8',
  });

  expect(status).toBe(2);
  expect(stderr).toContain('a stride of 35 shares a factor with 60');
});

test.each<[string, Partial<TrainingRecord>, RegExp]>([
  ['names in another order', { staticNames: [...STATIC_NAMES].reverse() }, /other staticNames than this code/],
  ['a channel more', { minuteChannels: [...MINUTE_CHANNELS, 'more'] }, /other minuteChannels/],
  ['other channels ahead', { aheadChannels: [] }, /other aheadChannels/],
  ['other candles', { data: [{ file: 'ETHUSDT-1m.csv.gz', sha256: 'e'.repeat(64) }] }, /other candles .*: ETHUSDT-1m/],
  [
    'a file more',
    { data: [...aRecord().data, { file: 'BTCUSDT-1m.csv.gz', sha256: 'f'.repeat(64) }] },
    /other candles .*: BTCUSDT-1m\.csv\.gz$/,
  ],
  ['a file less', { data: [] }, /other candles .*: ETHUSDT-1m\.csv\.gz$/],
])('leaves a network that was trained on %s unfinished', (_what, change, message) => {
  const files = [aCandleFile()];

  expect(() => assertTrainedOnThese(aRecord(), files)).not.toThrow();
  expect(() => assertTrainedOnThese({ ...aRecord(), ...change }, files)).toThrow(message);
});

test('names both the network and its path tables in a version', () => {
  const model = { name: 'lion' as const, network: networkBytes('sound'), tables: PLAIN_TABLES };
  const other = { ...PLAIN_TABLES, alpha: 0.11 };
  const versionOf = (tables: typeof PLAIN_TABLES): string =>
    modelVersionOf({
      ...model,
      tables,
      record: aRecord(),
      pathWindows: { paths: {}, lengths: {} },
      files: [],
    });

  expect(versionOf(PLAIN_TABLES)).toMatch(/^lion-[0-9a-f]{10}$/);
  expect(versionOf(other)).not.toBe(versionOf(PLAIN_TABLES));
});

test.each([
  ['parameters', '{"inputNames": ["statics"]}'],
  ['inputNames', '{"parameters": 5, "inputNames": ["prices"]}'],
  ['data', '{"parameters": 5, "inputNames": ["statics"], "data": []}'],
])('rejects a training record without sound %s', (field, text) => {
  const file = join(modelsDir, 'training.json');
  writeFileSync(file, text);

  expect(() => readTrainingRecord(file)).toThrow(new RegExp(`a valid training record[^]*${field}`));
});
