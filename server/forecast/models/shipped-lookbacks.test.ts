/**
 * Runs the shipped networks on short lookbacks: missing candles at the start must not look like a market without
 * moves.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODEL_NAMES } from '#domain/forecast/models.ts';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';
import { buildModelInputs } from '../network/model-inputs.ts';
import { type Network, openNetwork } from '../network/network.ts';
import { computeForecast, volatilityOf } from '../network/network-forecast.ts';
import { generatedCandles } from './generated-candles.ts';
import { manifestSchema, pathTablesSchema, UPPER_LEVELS } from './manifest.ts';

const MODELS_DIR = join(import.meta.dirname, '../../../models');
const read = (model: string, file: string) => readFileSync(join(MODELS_DIR, model, file));
const trained = MODEL_NAMES.flatMap((name) => {
  const manifest = manifestSchema.parse(JSON.parse(read(name, 'manifest.json').toString('utf8')));
  return manifest.state === 'trained' ? [[name, manifest] as const] : [];
});
const SUBJECTS = [
  { sym: 'BTCUSDT.P', assetClass: 'crypto', tickSize: 0.01 },
  { sym: 'MSFT', assetClass: 'equity', tickSize: 0.01 },
  { sym: 'XAUUSD', assetClass: 'metal', tickSize: 0.01 },
] as const;
const MARKETS = sampleSize(12, 24);

describe.each(trained)('%s', (name, { modelVersion, input, ...files }) => {
  const tables = pathTablesSchema.parse(JSON.parse(read(name, files.paths.file).toString('utf8')));
  let network: Network;

  beforeAll(async () => {
    network = await openNetwork(read(name, files.network.file), input.names);
  });

  afterAll(() => network.release());

  describe.each(SUBJECTS)('$sym', (subject) => {
    const markets = Array.from({ length: MARKETS }, (_, seed) =>
      generatedCandles({ seed: `${seed}`, count: LOOKBACK_BARS, firstOpen: 2500, tickSize: subject.tickSize }),
    );

    /** Upper 80% quantiles after 50 minutes, from the last `count` candles of each market. */
    async function widths(count: number): Promise<number[]> {
      const windows = markets.map((candles) => buildModelInputs(candles.slice(-count), subject.assetClass));
      const outputs = await network.run(windows);
      return windows.map(({ features }, i) => {
        const volatility = volatilityOf(outputs[i] ?? NOTHING, features);
        const { path, band } = computeForecast(tables, modelVersion, subject, features, volatility);
        expect([path.length, band.lower95.every((price) => price > 0)]).toEqual([HORIZON_BARS, true]);
        return volatility.upperQuantiles.at(-1)?.[UPPER_LEVELS.indexOf(0.9)] ?? Number.NaN;
      });
    }

    let whole: Promise<number[]> | null = null;

    test.each([MIN_LOOKBACK_BARS, 200, 300])('gives bands from %i candles like those from all 450', async (count) => {
      whole ??= widths(LOOKBACK_BARS);
      const ofAll = await whole;
      const logRatios = (await widths(count)).map((width, i) => Math.log(width / (ofAll[i] ?? Number.NaN)));

      const mean = logRatios.reduce((sum, ratio) => sum + ratio, 0) / logRatios.length;
      expect(Math.max(...logRatios.map(Math.abs))).toBeLessThan(Math.log(2));
      // Measured at 0.01 to 0.02; -0.17 if Panther gets zeros for the missing candles.
      expect(Math.abs(mean)).toBeLessThan(0.1);
    });
  });
});

/** An output that volatilityOf refuses. */
const NOTHING = {
  logVariance: new Float32Array(0),
  upperQuantiles: new Float32Array(0),
  logRv50: Number.NaN,
  logRange50: Number.NaN,
};
