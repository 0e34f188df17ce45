/** Untrained forecasters and generated candle files, for tests of the measurements. */
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import type { ModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import { PLAIN_TABLES } from '../../../server/forecast/testing/model-fixtures.ts';
import type { CandleFile } from '../candle-files.ts';
import type { MeasuredSymbol } from '../measured-symbols.ts';
import { normalTable } from '../quantile-tables.ts';
import type { MeasuredModel, MeasuredNetwork } from '../windows/score-windows.ts';
import { type Window, windowsOf } from '../windows/windows.ts';

const DAY_MINUTES = 1440;

export function generatedFile(seed: string, days: number): CandleFile {
  const candles = generatedCandles({ seed, count: days * DAY_MINUTES, firstOpen: 2500, tickSize: 0.01 });
  return { name: seed, assetClass: 'crypto', sha256: '', timeframe: '1min', candles };
}

/** The last third of a file is measured; its baselines use the rest. */
export function measuredLastThird(file: CandleFile, strideMinutes: number): MeasuredSymbol {
  const cutS = file.candles[Math.floor((2 * file.candles.length) / 3)]?.time ?? 0;
  const windows = [...windowsOf(file, { startS: cutS, endS: Number.POSITIVE_INFINITY }, strideMinutes)];
  const past = (): Window[] => [...windowsOf(file, { startS: 0, endS: cutS }, 11)];
  return { file, windows, prior: () => ({ from: 'its own past', windows: past() }), harOfClass: () => null };
}

/** A normal walk of the lookback's scale, times a factor: with 1 it is the EWMA baseline itself. */
export function gaussianNetwork(factorOf: (inputs: ModelInputs, h: number) => number = () => 1): MeasuredNetwork {
  const normal = normalTable();
  return {
    run: async (inputs) =>
      inputs.map((input) => {
        const factors = Array.from({ length: HORIZON_BARS }, (_, i) => factorOf(input, i + 1));
        const upperQuantiles = factors.flatMap((factor, i) =>
          UPPER_LEVELS.map((_, level) => factor * Math.sqrt(i + 1) * (normal[i]?.[level] ?? 0)),
        );
        return {
          logVariance: Float32Array.from(factors, (factor) => 2 * Math.log(factor)),
          upperQuantiles: Float32Array.from(upperQuantiles),
          logRv50: Math.log(Math.sqrt(HORIZON_BARS) * (factors[0] ?? 1)),
          logRange50: Math.log(Math.sqrt(HORIZON_BARS) * (factors[0] ?? 1)),
        };
      }),
    release: async () => undefined,
  };
}

export function fixtureModel(name: MeasuredModel['name'], network: MeasuredNetwork): MeasuredModel {
  return { name, modelVersion: `${name}-fixture`, network, tables: PLAIN_TABLES };
}
