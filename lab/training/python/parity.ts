/** Compares the network, as Node runs it, with torch's answers for the same windows at export. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { HORIZON_BARS, LOOKBACK_BARS, MIN_LOOKBACK_BARS } from '../../../domain/forecast/window.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import { buildFeatures } from '../../../server/forecast/network/features.ts';
import {
  AHEAD_CHANNELS,
  INPUT_NAMES,
  MINUTE_CHANNELS,
  type ModelInputs,
  STATIC_NAMES,
} from '../../../server/forecast/network/model-inputs.ts';
import type { Network } from '../../../server/forecast/network/network.ts';
import type { NetworkOutput } from '../../../server/forecast/network/network-forecast.ts';

/** In scaled units. A larger difference is not rounding but another network. */
export const MAX_PARITY_DIFFERENCE = 1e-4;

const metaSchema = z.object({ windows: z.int().check(z.positive()), inputNames: z.array(z.enum(INPUT_NAMES)) });

/** A network reads only the arrays; these fill the place of features from candles. */
const NO_FEATURES = buildFeatures(generatedCandles({ seed: 'parity', count: MIN_LOOKBACK_BARS }), 'crypto');

/**
 * @param folder  `meta.json` and one little-endian array per input and output (lab/training/kat_training/export.py)
 * @returns the largest absolute difference of any output  @throws Error if a file has the wrong length
 */
export async function parityDifference(network: Network, folder: string): Promise<number> {
  const { windows, inputNames } = metaSchema.parse(JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')));
  const floats = (name: string, size: number): Float32Array =>
    new Float32Array(bytesOf(folder, name, 4 * windows * size));
  const statics = floats('statics', STATIC_NAMES.length);
  const aheadSize = HORIZON_BARS * AHEAD_CHANNELS.length;
  const ahead = new Int32Array(bytesOf(folder, 'ahead', 4 * windows * aheadSize));
  const minutesSize = LOOKBACK_BARS * MINUTE_CHANNELS.length;
  // A network that reads no minutes is exported without them.
  const minutes = inputNames.includes('minutes') ? floats('minutes', minutesSize) : new Float32Array(0);
  const inputs = Array.from(
    { length: windows },
    (_, i): ModelInputs => ({
      features: NO_FEATURES,
      statics: rowOf(statics, i, STATIC_NAMES.length),
      minutes: rowOf(minutes, i, minutesSize),
      ahead: ahead.slice(i * aheadSize, (i + 1) * aheadSize),
    }),
  );
  const answers = await network.run(inputs);
  const quantiles = HORIZON_BARS * UPPER_LEVELS.length;
  return Math.max(
    largestGap(answers, (a) => a.logVariance, floats('log_variance', HORIZON_BARS)),
    largestGap(answers, (a) => a.upperQuantiles, floats('upper_quantiles', quantiles)),
    largestGap(answers, (a) => Float32Array.of(a.logRv50), floats('log_rv50', 1)),
    largestGap(answers, (a) => Float32Array.of(a.logRange50), floats('log_range50', 1)),
  );
}

function largestGap(
  answers: readonly NetworkOutput[],
  of: (answer: NetworkOutput) => Float32Array,
  wanted: Float32Array,
): number {
  let largest = 0;
  for (const [i, answer] of answers.entries()) {
    const found = of(answer);
    for (const [j, value] of found.entries()) {
      const gap = Math.abs(value - (wanted[i * found.length + j] ?? Number.NaN));
      // NaN must count as a mismatch.
      largest = Math.max(largest, Number.isNaN(gap) ? Number.POSITIVE_INFINITY : gap);
    }
  }
  return largest;
}

function rowOf(values: Float32Array, row: number, size: number): Float32Array {
  return values.slice(row * size, (row + 1) * size);
}

function bytesOf(folder: string, name: string, length: number): ArrayBuffer {
  const bytes = readFileSync(join(folder, `${name}.bin`));
  if (bytes.length !== length) throw new Error(`${folder}/${name}.bin has ${bytes.length} bytes instead of ${length}`);
  // A separate copy, because a Buffer may start anywhere in a shared pool.
  return Uint8Array.from(bytes).buffer;
}
