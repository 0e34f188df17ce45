import { afterEach, expect, test } from 'vitest';
import { generatedCandles } from '../models/generated-candles.ts';
import { networkBytes, type TestNetwork } from '../testing/model-fixtures.ts';
import { buildModelInputs, STATIC_NAMES } from './model-inputs.ts';
import { type Network, openNetwork } from './network.ts';

let opened: Network | null = null;

afterEach(async () => {
  await opened?.release();
  opened = null;
});

const open = async (name: TestNetwork): Promise<Network> => {
  opened = await openNetwork(networkBytes(name), ['statics', 'ahead']);
  return opened;
};
const inputsOf = (volatility: number) =>
  buildModelInputs(generatedCandles({ seed: 'network', count: 450, volatility }), 'crypto');
const CALM = inputsOf(8e-4);
const WILD = inputsOf(0.04);

test('returns one output for each window of a batch, the same as alone', async () => {
  const network = await open('sound');

  const [first, second] = await network.run([CALM, WILD]);
  const [alone] = await network.run([CALM]);

  expect(first).toEqual(alone);
  expect(second?.logVariance).toHaveLength(50);
  expect(second?.upperQuantiles).toHaveLength(50 * 12);
  expect(first?.upperQuantiles[8]).toBeCloseTo(1.2816, 3);
  expect(first?.logRv50).toBeCloseTo(0.5 * Math.log(50), 5);
});

test('fails only the run in which the network throws', async () => {
  const network = await open('throws-when-wild');

  await expect(network.run([WILD])).rejects.toThrow(/out of data bounds/);

  expect(await network.run([CALM])).toHaveLength(1);
});

test('refuses outputs of wrong shapes', async () => {
  const network = await open('short');

  await expect(network.run([CALM])).rejects.toThrow('log_variance is float32 [1,49] instead of 50 floats');
});

test("refuses inputs that the manifest doesn't name, and bytes that aren't a network", async () => {
  await expect(openNetwork(networkBytes('sound'), ['statics'])).rejects.toThrow(/inputs are statics, ahead/);
  await expect(openNetwork(Buffer.from('no network'), ['statics'])).rejects.toThrow();
  await expect(openNetwork(new Uint8Array(), ['statics'])).rejects.toThrow();
});

test('places the scale where the generated test networks read it', () => {
  expect(STATIC_NAMES.at(-19)).toBe('ln_scale');
});
