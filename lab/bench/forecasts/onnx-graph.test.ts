import { expect, test } from 'vitest';
import { HORIZON_BARS } from '../../../domain/forecast/window.ts';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { UPPER_LEVELS } from '../../../server/forecast/models/manifest.ts';
import { buildModelInputs, STATIC_NAMES } from '../../../server/forecast/network/model-inputs.ts';
import { openNetwork } from '../../../server/forecast/network/network.ts';
import { lookbackGraph, RandomWeights, stepGraph } from './kronos-shape.ts';
import { OnnxGraph } from './onnx-graph.ts';

test('writes a graph that the runtime opens and that computes its specification', async () => {
  const graph = new OnnxGraph();
  const statics = graph.input('statics', 'float', ['windows', STATIC_NAMES.length]);
  const sum = (width: number, weight: number): string => {
    const size = STATIC_NAMES.length * width;
    const weights = graph.floats(new Float32Array(size).fill(weight), [STATIC_NAMES.length, width]);
    return graph.op('MatMul', [statics, weights]);
  };
  const wide = graph.op('Reshape', [
    sum(HORIZON_BARS * UPPER_LEVELS.length, 0.5),
    graph.ints(0, HORIZON_BARS, UPPER_LEVELS.length),
  ]);
  graph.output(sum(HORIZON_BARS, 1), 'log_variance', 'float', ['windows', HORIZON_BARS]);
  graph.output(wide, 'upper_quantiles', 'float', ['windows', HORIZON_BARS, UPPER_LEVELS.length]);
  graph.output(graph.op('Squeeze', [sum(1, -2), graph.ints(1)]), 'log_rv50', 'float', ['windows']);
  const mean = graph.op('ReduceMean', [statics], { axes: [-1], keepdims: 0 });
  graph.output(mean, 'log_range50', 'float', ['windows']);
  const inputs = ['a', 'b'].map((seed) => buildModelInputs(generatedCandles({ seed, count: 450 }), 'crypto'));

  const network = await openNetwork(graph.bytes(), ['statics']);
  const outputs = await network.run(inputs);
  await network.release();

  for (const [i, output] of outputs.entries()) {
    const total = inputs[i]?.statics.reduce((all, value) => all + value, 0) ?? Number.NaN;
    expect(output.logVariance[49]).toBeCloseTo(total, 4);
    expect(output.upperQuantiles[599]).toBeCloseTo(total / 2, 4);
    expect(output.logRv50).toBeCloseTo(-2 * total, 4);
    expect(output.logRange50).toBeCloseTo(total / STATIC_NAMES.length, 4);
  }
});

test('has as many parameters in the compared decoder as Kronos-small publishes', () => {
  const weights = new RandomWeights();
  lookbackGraph(weights, 8);
  stepGraph(weights, 8);

  expect(weights.parameters / 1e6).toBeCloseTo(24.7, 1);
});
