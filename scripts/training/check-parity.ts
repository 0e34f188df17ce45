/**
 * Holds the runtime against the trainer: a network's answers to a run's parity case, by the code that serves, beside those
 * torch gave. The case is written by training/kat_training/export.py.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/model-file.ts';
import { AHEAD_CHANNELS, MINUTE_CHANNELS, type ModelInputs, STATIC_NAMES } from '../../server/forecast/model-inputs.ts';
import type { Network, NetworkInputs } from '../../server/forecast/network.ts';
import type { NetworkOutput } from '../../server/forecast/network-forecast.ts';

/** In scaled units. */
export const MAX_PARITY_DIFFERENCE = 1e-4;
const metaSchema = z.object({ windows: z.int().check(z.positive()) });

/** What torch answered, by file, and where the same stands in a runtime's answer. */
const ANSWERS: readonly [file: string, length: number, of: (answer: NetworkOutput) => ArrayLike<number>][] = [
  ['log_variance', HORIZON_BARS, (answer) => answer.logVariance],
  ['upper_quantiles', HORIZON_BARS * UPPER_LEVELS.length, (answer) => answer.upperQuantiles],
  ['log_rv50', 1, (answer) => [answer.logRv50]],
  ['log_range50', 1, (answer) => [answer.logRange50]],
];

/**
 * The largest difference, in scaled units; beyond 1 (quantiles grow with the horizon) relative to what torch said.
 * @param folder  the run's `parity`
 * @throws Error when a file is missing or has another length
 */
export async function parityDifference(network: Network, folder: string): Promise<number> {
  const { windows } = metaSchema.parse(JSON.parse(readFileSync(join(folder, 'meta.json'), 'utf8')));
  const floats = (name: string, length: number): Float32Array => {
    const values = new Float32Array(bytesOf(folder, name));
    if (values.length !== windows * length) throw new Error(`${name}.bin holds ${values.length} numbers`);
    return values;
  };
  const row = (length: number, i: number): [number, number] => [i * length, (i + 1) * length];
  const statics = floats('statics', STATIC_NAMES.length);
  const minuteLength = LOOKBACK_BARS * MINUTE_CHANNELS.length;
  const minutes = floats('minutes', minuteLength);
  const aheadLength = HORIZON_BARS * AHEAD_CHANNELS.length;
  const ahead = new Int32Array(bytesOf(folder, 'ahead'));
  const inputs = Array.from({ length: windows }, (_, i): NetworkInputs => {
    return {
      statics: statics.slice(...row(STATIC_NAMES.length, i)),
      minutes: minutes.slice(...row(minuteLength, i)),
      ahead: ahead.slice(...row(aheadLength, i)),
    };
  });
  const answers = await network.run(inputs);
  const differences = ANSWERS.map(([name, length, of]) => {
    const expected = floats(name, length);
    return answers.map((answer, i) => largestDifference(of(answer), expected.subarray(...row(length, i))));
  });
  return Math.max(...differences.flat());
}

function largestDifference(found: ArrayLike<number>, expected: Float32Array): number {
  return Math.max(
    ...Array.from(expected, (wanted, i) => Math.abs((found[i] ?? Number.NaN) - wanted) / Math.max(1, Math.abs(wanted))),
  );
}

function bytesOf(folder: string, name: string): ArrayBuffer {
  const bytes = readFileSync(join(folder, `${name}.bin`));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}
