import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unseenCoinsSchema } from '../../domain/forecast/model-figures.ts';
import { generatedCandles } from '../../server/forecast/models/generated-candles.ts';
import { AHEAD_CHANNELS, MINUTE_CHANNELS, STATIC_NAMES } from '../../server/forecast/network/model-inputs.ts';
import { openNetwork } from '../../server/forecast/network/network.ts';
import { networkBytes, PLAIN_TABLES } from '../../server/forecast/testing/model-fixtures.ts';
import type { CandleFile } from '../measure/candle-files.ts';
import type { ShippedModel } from '../measure/shipped-models.ts';
import { unseenSection } from './card-figures.ts';
import { coinOf, measureUnseen } from './unseen-coins.ts';

const DAY_BARS = 1440;

let runsDir = '';
beforeEach(() => {
  runsDir = mkdtempSync(join(tmpdir(), 'kat-unseen-'));
});
afterEach(() => rmSync(runsDir, { recursive: true, force: true }));

function candleFile(): CandleFile {
  const span = (seed: string, iso: string, days: number) =>
    generatedCandles({ seed, count: days * DAY_BARS, startS: Date.parse(iso) / 1000, firstOpen: 2500, tickSize: 0.01 });
  const candles = [...span('before', '2025-02-15T00:00:00Z', 8), ...span('test', '2025-03-01T00:00:00Z', 3)];
  return { name: 'ETHUSDT', assetClass: 'crypto', sha256: 'f'.repeat(64), timeframe: '1min', candles };
}

async function shippedModel(): Promise<ShippedModel> {
  const network = await openNetwork(networkBytes('sound'), ['statics', 'ahead']);
  return { name: 'bobcat', modelVersion: 'bobcat-1', network, tables: PLAIN_TABLES, trainedOn: new Set() };
}

function leaveRun(coin: string, without: string): void {
  const folder = join(runsDir, `without-${coin}`, 'bobcat');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'model.onnx'), networkBytes('sound'));
  const record = {
    parameters: 12,
    inputNames: ['statics', 'ahead'],
    staticNames: [...STATIC_NAMES],
    minuteChannels: [...MINUTE_CHANNELS],
    aheadChannels: [...AHEAD_CHANNELS],
    data: [{ file: 'ETHUSDT-1m.csv.gz', sha256: 'f'.repeat(64) }],
    without,
  };
  writeFileSync(join(folder, 'training.json'), JSON.stringify(record));
}

test.each([
  ['BTCUSDT', 'BTC'],
  ['BTCUSDT.P', 'BTC'],
  ['aux-XRPUSDT.P', 'XRP'],
])('names the coin of %s', (file, coin) => {
  expect(coinOf(file)).toBe(coin);
});

test('measures a coin by the network that was trained without it, beside the shipped one', async () => {
  leaveRun('ETH', 'ETH');
  const shipped = await shippedModel();
  try {
    const measured = await measureUnseen([shipped], runsDir, [candleFile()], 29, () => undefined);
    const unseen = measured.get('bobcat');

    expect(unseenCoinsSchema.parse(unseen)).toEqual(unseen);
    expect(unseen?.coins).toEqual(['ETH']);
    expect(unseen?.overTrainedPercent.all).toEqual([0, 0, 0]);
    expect(unseen?.byCoin.ETH).toMatchObject({
      windows: unseen?.windows,
      overOwnHarPercent: unseen?.overOwnHarPercent.all,
      within80: unseen?.coverage.pooled80[0],
    });
    expect(unseen && unseenSection(unseen, 'six-hour blocks')).toMatch(/\| ETH \| \d+ \|/);
  } finally {
    await shipped.network.release();
  }
});

test('refuses a network that was trained with the coin', async () => {
  leaveRun('ETH', 'SOL');
  const shipped = await shippedModel();
  try {
    const measured = measureUnseen([shipped], runsDir, [candleFile()], 29, () => undefined);

    await expect(measured).rejects.toThrow('was not trained without ETH');
  } finally {
    await shipped.network.release();
  }
});

test('refuses a folder without such networks', async () => {
  for (const folder of [runsDir, join(runsDir, 'none')]) {
    await expect(measureUnseen([], folder, [], 7, () => undefined)).rejects.toThrow('--without COIN first');
  }
});
