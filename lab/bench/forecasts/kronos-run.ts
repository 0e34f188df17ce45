/**
 * Besides server/forecast/network/network.ts the only importer of the runtime: this network has other inputs than ours.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { HORIZON_BARS, LOOKBACK_BARS } from '../../../domain/forecast/window.ts';
import { CACHES, CALENDAR_PARTS, lookbackGraph, RandomWeights, stepGraph } from './kronos-shape.ts';

const PATHS = 30;
/** The last candle of the lookback is the first that the paths read. */
const BARS_A_READ = LOOKBACK_BARS - 1;
/** Calendar entries follow one another in one table; which of them are read does not change the cost. */
const CALENDAR_PLACES = [30, 72, 87, 107, 129];

export interface KronosFigures {
  parameters: number;
  paths: number;
  steps: number;
  lookbackMs: number;
  stepsMs: number;
  wholeMs: number;
  how: string;
}

export async function measureKronosShape(): Promise<KronosFigures> {
  const weights = new RandomWeights();
  const options: InferenceSession.SessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 };
  const step = await InferenceSession.create(stepGraph(weights, BARS_A_READ), options);
  const lookback = await InferenceSession.create(lookbackGraph(weights, BARS_A_READ), options);
  try {
    await wholeForecast(lookback, step, 2);
    const { lookbackMs, stepsMs } = await wholeForecast(lookback, step, HORIZON_BARS);
    return {
      parameters: weights.parameters,
      paths: PATHS,
      steps: HORIZON_BARS,
      lookbackMs: Math.round(lookbackMs),
      stepsMs: Math.round(stepsMs),
      wholeMs: Math.round(lookbackMs + stepsMs),
      how: 'one whole run measured after a short one; keys and values cached, those of the lookback shared by all paths; tokens drawn, but neither made from candles nor turned back into candles',
    };
  } finally {
    await step.release();
    await lookback.release();
  }
}

async function wholeForecast(
  lookback: InferenceSession,
  step: InferenceSession,
  steps: number,
): Promise<{ lookbackMs: number; stepsMs: number }> {
  const startedMs = performance.now();
  const tokens = (count: number): Tensor =>
    new Tensor(
      'int64',
      BigInt64Array.from({ length: count }, (_, i) => BigInt((i * 37) % 1024)),
      [count],
    );
  const shared = await lookback.run({
    s1: tokens(BARS_A_READ),
    s2: tokens(BARS_A_READ),
    ...momentsFrom(0, BARS_A_READ),
  });
  const readMs = performance.now();
  let state: Record<string, Tensor> = { s1: tokens(PATHS), s2: tokens(PATHS) };
  for (const { layer, heads, headWidth } of CACHES) {
    for (const kind of ['keys', 'values']) {
      state[`past.${kind}.${layer}`] = new Tensor('float32', new Float32Array(0), [PATHS, heads, 0, headWidth]);
    }
  }
  for (let i = 0; i < steps; i++) {
    const next = await step.run({ ...shared, ...state, ...momentsFrom(BARS_A_READ + i, 1) });
    const tensorOf = (name: string): Tensor => {
      const tensor = next[name];
      if (tensor === undefined) throw new Error(`the decoder gave no ${name}`);
      return tensor;
    };
    state = { s1: tensorOf('next.s1'), s2: tensorOf('next.s2') };
    for (const { layer } of CACHES) {
      for (const kind of ['keys', 'values']) {
        state[`past.${kind}.${layer}`] = tensorOf(`present.${kind}.${layer}`);
      }
    }
  }
  return { lookbackMs: readMs - startedMs, stepsMs: performance.now() - readMs };
}

/** Calendar and rotary angles of `count` minutes in a row. */
function momentsFrom(first: number, count: number): Record<string, Tensor> {
  const calendar = BigInt64Array.from({ length: count * CALENDAR_PARTS }, (_, i) =>
    BigInt(CALENDAR_PLACES[i % CALENDAR_PARTS] ?? 0),
  );
  const moments: Record<string, Tensor> = { calendar: new Tensor('int64', calendar, [count, CALENDAR_PARTS]) };
  for (const width of new Set(CACHES.map(({ headWidth }) => headWidth))) {
    const angles = Float32Array.from({ length: count * width }, (_, i) => {
      const pair = (i % width) % (width / 2);
      return (first + Math.floor(i / width)) / 10_000 ** ((2 * pair) / width);
    });
    moments[`cos${width}`] = new Tensor('float32', angles.map(Math.cos), [count, 1, width]);
    moments[`sin${width}`] = new Tensor('float32', angles.map(Math.sin), [count, 1, width]);
  }
  return moments;
}
