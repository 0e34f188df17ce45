import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RandomBits } from '#domain/chances/random-bits.ts';
import { ensembleCrps, type SimulatedPaths, SYNTH_STEPS, synthScore, synthTerms } from './synth-score.ts';

const COUNT = 40;
const reference: { scores: number[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing/synth-reference.json'), 'utf8'),
);

/** Paths and a real price by whole numbers alone, so that another language gives the same ones to the last bit. */
function generatedWindow(index: number): { paths: SimulatedPaths; real: Float64Array } {
  const bits = new Uint32Array((COUNT + 1) * SYNTH_STEPS);
  new RandomBits(`synth ${index}`).fill(bits);
  const start = 100 + index;
  const prices = new Float64Array(COUNT * (SYNTH_STEPS + 1)).fill(start, 0, COUNT);
  const real = new Float64Array(SYNTH_STEPS + 1).fill(start);
  for (let step = 0; step < SYNTH_STEPS; step++) {
    for (let path = 0; path <= COUNT; path++) {
      const growth = 1 + ((bits[step * (COUNT + 1) + path] ?? 0) / 2 ** 32 - 0.5) / 250;
      if (path === COUNT) real[step + 1] = (real[step] ?? 0) * growth;
      else prices[(step + 1) * COUNT + path] = (prices[step * COUNT + path] ?? 0) * growth;
    }
  }
  // Every third window has missing minutes, as recordings have.
  if (index % 3 === 2) for (const minute of [7, 8, 31]) real[minute] = Number.NaN;
  return { paths: { count: COUNT, prices }, real };
}

test('gives the scores of an independent calculation on a hundred generated windows', () => {
  const scores = Array.from({ length: 100 }, (_, index) => {
    const { paths, real } = generatedWindow(index);
    return synthScore(paths, real);
  });

  expect(reference.scores).toHaveLength(100);
  for (const [index, score] of scores.entries()) {
    expect(Math.abs(score - (reference.scores[index] ?? 0)) / score).toBeLessThan(1e-9);
  }
});

test('scores an ensemble by its definition', () => {
  const values = [3, 1, 4, 1, 5];
  const distance = values.reduce((sum, x) => sum + Math.abs(x - 2), 0) / 5;
  const spread = values.reduce((sum, x) => sum + values.reduce((own, y) => own + Math.abs(x - y), 0), 0) / 25;

  expect(ensembleCrps(Float64Array.from(values), 2)).toBeCloseTo(distance - spread / 2, 12);
});

test('is 0 for paths that are the price, and grows with their distance from it', () => {
  const { real } = generatedWindow(0);
  const along = (factor: number): SimulatedPaths => ({
    count: 1,
    prices: real.map((price, step) => (step === 0 ? price : price * factor)),
  });

  expect(synthScore(along(1), real)).toBe(0);
  expect(synthScore(along(1.001), real)).toBeGreaterThan(100);
  expect([...synthTerms(along(1.001), real).keys()]).toHaveLength(18);
});

test('refuses a simulated price of 0 and another number of steps', () => {
  const { paths, real } = generatedWindow(0);
  const prices = paths.prices.slice();
  prices[100] = 0;

  expect(() => synthScore({ count: COUNT, prices }, real)).toThrow('not above 0');
  expect(() => synthScore(paths, real.slice(1))).toThrow('60 steps');
});
