import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generatedCandles } from '../../../server/forecast/models/generated-candles.ts';
import { buildModelInputs } from '../../../server/forecast/network/model-inputs.ts';
import { gaussianNetwork } from '../../measure/testing/measure-fixtures.ts';
import { MAX_PARITY_DIFFERENCE, parityDifference } from './parity.ts';

const network = gaussianNetwork();
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kat-parity-'));
  const inputs = ['a', 'b'].map((seed) => buildModelInputs(generatedCandles({ seed, count: 450 }), 'crypto'));
  const outputs = await network.run(inputs);
  writeFileSync(join(folder, 'meta.json'), JSON.stringify({ windows: 2, inputNames: ['statics', 'ahead'] }));
  const write = (name: string, rows: readonly (Float32Array | Int32Array)[]): void =>
    writeFileSync(join(folder, `${name}.bin`), Buffer.concat(rows.map((row) => new Uint8Array(row.buffer))));
  write(
    'statics',
    inputs.map(({ statics }) => statics),
  );
  write(
    'ahead',
    inputs.map(({ ahead }) => ahead),
  );
  write(
    'log_variance',
    outputs.map(({ logVariance }) => logVariance),
  );
  write(
    'upper_quantiles',
    outputs.map(({ upperQuantiles }) => upperQuantiles),
  );
  write(
    'log_rv50',
    outputs.map(({ logRv50 }) => Float32Array.of(logRv50)),
  );
  write(
    'log_range50',
    outputs.map(({ logRange50 }) => Float32Array.of(logRange50)),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setFloat(name: string, at: number, value: number): void {
  const bytes = readFileSync(join(folder, `${name}.bin`));
  bytes.writeFloatLE(value, 4 * at);
  writeFileSync(join(folder, `${name}.bin`), bytes);
}

test('accepts a network that differs from torch by rounding alone', async () => {
  expect(await parityDifference(network, folder)).toBeLessThan(1e-6);
});

test.each([
  ['log_variance', 99, 0.01],
  ['upper_quantiles', 0, 1],
  ['log_rv50', 1, 3],
  ['log_range50', 0, Number.NaN],
])('finds one number of %s that differs', async (name, at, value) => {
  setFloat(name, at, value);

  expect(await parityDifference(network, folder)).toBeGreaterThan(MAX_PARITY_DIFFERENCE);
});

test('rejects a file of another length', async () => {
  writeFileSync(join(folder, 'statics.bin'), Buffer.alloc(8));

  await expect(parityDifference(network, folder)).rejects.toThrow(/statics\.bin has 8 bytes/);
});
