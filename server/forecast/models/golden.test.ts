/**
 * Runs the shipped models on generated candles, without Python, and expects the results recorded when they were
 * finished. A difference means a change of the features (probes), of the network or its runtime (output), or of bands
 * and paths (forecast).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { fromColumns } from '#domain/market/candle.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { buildModelInputs } from '../network/model-inputs.ts';
import { type Network, openNetwork } from '../network/network.ts';
import { computeForecast, volatilityOf } from '../network/network-forecast.ts';
import { manifestSchema, pathTablesSchema, type TrainedManifest } from './manifest.ts';
import {
  candlesOf,
  type GoldenCase,
  type GoldenFile,
  goldenFileSchema,
  outputOf,
  probesOf,
} from './testing/golden-file.ts';

const MODELS_DIR = join(import.meta.dirname, '../../../models');
/** Features and prices pass through logarithms and exponentials, whose last digits differ between machines. */
const DIGITS = 6;

interface Shipped {
  name: ModelName;
  folder: string;
  manifest: TrainedManifest;
  golden: GoldenFile;
}

/** Those of one minute are in models/<name>, those of a longer timeframe in models/<timeframe>/<name>. */
const shipped = TIMEFRAMES.flatMap((timeframe) =>
  MODEL_NAMES.flatMap((name): Shipped[] => {
    const folder = join(MODELS_DIR, timeframe === '1min' ? '' : timeframe, name);
    if (!existsSync(folder)) return [];
    const manifest = manifestSchema.parse(readJson(folder, 'manifest.json'));
    if (manifest.state === 'not-trained') return [];
    return [{ name, folder, manifest, golden: goldenFileSchema.parse(readJson(folder, 'golden.json')) }];
  }),
);

test('has a manifest for every shipped model, and at least one trained model', () => {
  expect(shipped.length).toBeGreaterThan(0);
  expect(MODEL_NAMES.filter((name) => !existsSync(join(MODELS_DIR, name, 'manifest.json')))).toEqual([]);
});

describe.each(shipped.map((model) => [`${model.name} ${model.manifest.timeframe ?? ''}`.trim(), model] as const))(
  '%s',
  (_model, { folder, manifest, golden }) => {
    const { modelVersion, timeframe } = manifest;
    const tables = pathTablesSchema.parse(readJson(folder, manifest.paths.file));
    let network: Network;

    beforeAll(async () => {
      network = await openNetwork(readFileSync(join(folder, manifest.network.file)), manifest.input.names);
    });

    afterAll(() => network.release());

    test('has a golden file of this version with cases', () => {
      expect([golden.modelVersion, golden.timeframe]).toEqual([modelVersion, timeframe]);
      expect(golden.cases.length).toBeGreaterThan(3);
      expect(golden.tolerance).toBeLessThanOrEqual(1e-4);
    });

    describe.each(golden.cases.map((c) => [c.name, c] as const))('%s', (_name, one) => {
      const inputs = buildModelInputs(candlesOf(one.recipe), one.subject.assetClass, timeframe);

      test('builds the same inputs', () => {
        const probes = probesOf(inputs);

        expect([probes.t0, ...probes.aheadEnds]).toEqual([one.probes.t0, ...one.probes.aheadEnds]);
        expect(largestGap(probes.statics, one.probes.statics)).toBeLessThan(10 ** -DIGITS);
        expect(largestGap(probes.minuteSums, one.probes.minuteSums)).toBeLessThan(1e-3);
        expect(relativeGap(probes.scale, one.probes.scale)).toBeLessThan(10 ** -DIGITS);
      });

      test('returns the same output alone and in a batch', async () => {
        const [alone] = await network.run([inputs]);
        const among = await network.run([inputs, inputs, inputs]);

        for (const output of [alone, among[2]]) {
          expect(outputGap(output, one.output)).toBeLessThanOrEqual(golden.tolerance);
        }
      });

      test('computes the same bands and paths from that output', () => {
        const volatility = volatilityOf(outputOf(one.output), inputs.features);

        const { path, band } = computeForecast(tables, modelVersion, one.subject, inputs.features, volatility);

        expect(relativeGap(volatility.rv50, one.forecast.rv50)).toBeLessThan(10 ** -DIGITS);
        expect(relativeGap(volatility.range50, one.forecast.range50)).toBeLessThan(10 ** -DIGITS);
        expect(path).toEqual(fromColumns(one.forecast.path));
        expect(band).toEqual(one.forecast.band);
      });
    });
  },
);

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function outputGap(found: Parameters<typeof volatilityOf>[0] | undefined, wanted: GoldenCase['output']): number {
  if (found === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(
    largestGap(found.logVariance, wanted.logVariance),
    largestGap(found.upperQuantiles, wanted.upperQuantiles),
    Math.abs(found.logRv50 - wanted.logRv50),
    Math.abs(found.logRange50 - wanted.logRange50),
  );
}

function largestGap(found: ArrayLike<number>, wanted: readonly number[]): number {
  if (found.length !== wanted.length) return Number.POSITIVE_INFINITY;
  return wanted.reduce((largest, value, i) => Math.max(largest, Math.abs((found[i] ?? Number.NaN) - value)), 0);
}

function relativeGap(found: number, wanted: number): number {
  return Math.abs(found / wanted - 1);
}
