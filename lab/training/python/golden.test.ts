import { beforeAll, expect, test } from 'vitest';
import { MINUTE_S } from '../../../domain/market/candle.ts';
import {
  candlesOf,
  type GoldenCase,
  type GoldenFile,
  goldenFileSchema,
} from '../../../server/forecast/models/testing/golden-file.ts';
import { scaleFloorOf } from '../../../server/forecast/network/features.ts';
import { PLAIN_TABLES } from '../../../server/forecast/testing/model-fixtures.ts';
import { gaussianNetwork } from '../../measure/testing/measure-fixtures.ts';
import { goldenFile } from './golden.ts';

let golden: GoldenFile;
beforeAll(async () => {
  golden = await goldenFile(gaussianNetwork(), PLAIN_TABLES, 'bobcat-fixture');
});

function caseOf(text: string): GoldenCase {
  const found = golden.cases.find(({ name }) => name.includes(text));
  if (found === undefined) throw new Error(`no case is named ${text}`);
  return found;
}

test('writes a small file in the shape that its reader requires', () => {
  const text = JSON.stringify(golden);

  expect(goldenFileSchema.parse(JSON.parse(text))).toEqual(golden);
  expect(text.length).toBeLessThan(200_000);
});

test('has a case of every asset class, a short lookback, a gap, a feed without volume, a still and a volatile market', () => {
  const [short, night, dry] = [caseOf('shortest'), caseOf('opening'), caseOf('without volume')];
  const [quiet, wild] = [caseOf('quiet'), caseOf('wild')];

  expect(new Set(golden.cases.map(({ subject }) => subject.assetClass)).size).toBe(5);
  expect(candlesOf(short.recipe)).toHaveLength(120);
  const times = candlesOf(night.recipe).map(({ time }) => time);
  expect(times.filter((time, i) => i > 0 && time - (times[i - 1] ?? 0) > MINUTE_S)).toHaveLength(1);
  expect(candlesOf(dry.recipe).every(({ volume }) => volume === 0)).toBe(true);
  expect(quiet.probes.scale).toBe(scaleFloorOf('1min'));
  expect(wild.probes.scale).toBeGreaterThan(1e-3);
});

test('writes the same file twice', async () => {
  expect(await goldenFile(gaussianNetwork(), PLAIN_TABLES, 'bobcat-fixture')).toEqual(golden);
});
