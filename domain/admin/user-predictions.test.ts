import { expect, test } from 'vitest';
import { readUserPredictions } from './user-predictions.ts';

const candles = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ time: 1_763_600_040 + i * 60, open: 1, high: 2, low: 0.5, close: 1.5 }));
const row = (id: string, data: unknown = candles(200), columns: object = {}) => ({
  id,
  cryptocurrency: 'BTC',
  timeframe: '1min',
  model: 'kat2_4',
  created_at: '2026-11-20T12:00:00+00:00',
  data,
  ...columns,
});

test('reads at most two, newest first, with the model’s display name', () => {
  const read = readUserPredictions([row('b'), row('a', candles(200), { model: 'kat9' }), row('old')]);

  expect(read.map(({ id, modelLabel, createdMs }) => [id, modelLabel, createdMs])).toEqual([
    ['b', 'Lion (Kat 2.4)', Date.UTC(2026, 10, 20, 12)],
    ['a', 'kat9', Date.UTC(2026, 10, 20, 12)],
  ]);
});

test('reads the last 200 candles and drops those without numbers', () => {
  const [read] = readUserPredictions([row('a', [...candles(240), { time: 'x' }, null])]);

  expect(read?.candles).toHaveLength(200);
  expect(read?.candles[0]?.time).toBe(1_763_600_040 + 40 * 60);
});

test('reads the band as it was saved, and none that is not whole', () => {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  const band = { lower80: edge(0.9), upper80: edge(1.8), lower95: edge(0.6), upper95: edge(1.9) };

  const read = readUserPredictions([
    row('whole', candles(200), { band }),
    row('short', candles(200), { band: { ...band, lower80: [0.9] } }),
  ]);
  const [before] = readUserPredictions([row('before')]);

  expect([...read, before].map((prediction) => prediction?.band)).toEqual([band, null, null]);
});

test.each([null, undefined, 'no json', '{"a":1}', 7, [null, { model: 'kat1' }]])(
  'reads no predictions from %j',
  (value) => {
    expect(readUserPredictions(value)).toEqual([]);
  },
);

test('reads JSON text of the list too', () => {
  expect(readUserPredictions(JSON.stringify([row('a', JSON.stringify(candles(3)))]))[0]?.candles).toHaveLength(3);
});
