/** The only user of onnxruntime-node. A run blocks its thread, so serving opens networks in inference-process.ts. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { UPPER_LEVELS } from '../models/manifest.ts';
import { AHEAD_CHANNELS, type InputName, MINUTE_CHANNELS, type ModelInputs, STATIC_NAMES } from './model-inputs.ts';
import type { NetworkOutput } from './network-forecast.ts';

export interface Network {
  /** One output per input, in order. @throws Error when the network throws or its outputs have wrong shapes */
  run(inputs: readonly ModelInputs[]): Promise<NetworkOutput[]>;
  /** Frees the memory; no run may follow. */
  release(): Promise<void>;
}

/** Entries per window in each output. */
const OUTPUT_SIZES = {
  log_variance: HORIZON_BARS,
  upper_quantiles: HORIZON_BARS * UPPER_LEVELS.length,
  log_rv50: 1,
  log_range50: 1,
} as const;
type OutputName = keyof typeof OUTPUT_SIZES;

/**
 * @param model bytes of an ONNX file with the inputs and outputs of docs/models.md
 * @throws Error when the bytes are not a network, or one with other inputs and outputs
 */
export async function openNetwork(model: Uint8Array, inputNames: readonly InputName[]): Promise<Network> {
  const session = await InferenceSession.create(model, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    // Errors arrive as exceptions; the library's own log lines would mix with the server's.
    logSeverityLevel: 4,
  });
  requireNames('inputs', session.inputNames, inputNames);
  requireNames('outputs', session.outputNames, Object.keys(OUTPUT_SIZES));
  return {
    async run(inputs) {
      const feeds = Object.fromEntries(inputNames.map((name) => [name, tensorOf(name, inputs)]));
      const outputs = await session.run(feeds);
      const read = (name: OutputName): Float32Array => floatsOf(outputs[name], name, inputs.length);
      const variance = read('log_variance');
      const quantiles = read('upper_quantiles');
      const rv50 = read('log_rv50');
      const range50 = read('log_range50');
      return inputs.map((_, i) => ({
        logVariance: entriesOf(variance, 'log_variance', i),
        upperQuantiles: entriesOf(quantiles, 'upper_quantiles', i),
        logRv50: rv50[i] ?? Number.NaN,
        logRange50: range50[i] ?? Number.NaN,
      }));
    },
    release: () => session.release(),
  };
}

function requireNames(what: string, found: readonly string[], wanted: readonly string[]): void {
  if ([...found].sort().join() === [...wanted].sort().join()) return;
  throw new Error(`the network's ${what} are ${found.join(', ')} instead of ${wanted.join(', ')}`);
}

function tensorOf(name: InputName, inputs: readonly ModelInputs[]): Tensor {
  const count = inputs.length;
  if (name === 'statics') {
    return new Tensor('float32', concatInputs(inputs, 'statics', STATIC_NAMES.length), [count, STATIC_NAMES.length]);
  }
  if (name === 'minutes') {
    const width = MINUTE_CHANNELS.length;
    return new Tensor('float32', concatInputs(inputs, 'minutes', LOOKBACK_BARS * width), [count, LOOKBACK_BARS, width]);
  }
  const width = AHEAD_CHANNELS.length;
  const ahead = new BigInt64Array(count * HORIZON_BARS * width);
  for (const [i, input] of inputs.entries()) ahead.set(Array.from(input.ahead, BigInt), i * HORIZON_BARS * width);
  return new Tensor('int64', ahead, [count, HORIZON_BARS, width]);
}

function concatInputs(inputs: readonly ModelInputs[], name: 'statics' | 'minutes', size: number): Float32Array {
  const all = new Float32Array(inputs.length * size);
  for (const [i, input] of inputs.entries()) all.set(input[name], i * size);
  return all;
}

function floatsOf(tensor: Tensor | undefined, name: OutputName, count: number): Float32Array {
  const { data } = tensor ?? {};
  const size = count * OUTPUT_SIZES[name];
  if (!(data instanceof Float32Array) || data.length !== size) {
    throw new Error(`the network's ${name} is ${tensor?.type} [${tensor?.dims.join()}] instead of ${size} floats`);
  }
  return data;
}

function entriesOf(all: Float32Array, name: OutputName, index: number): Float32Array {
  return all.slice(index * OUTPUT_SIZES[name], (index + 1) * OUTPUT_SIZES[name]);
}
