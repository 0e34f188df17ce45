import { expect, test } from 'vitest';
import { candleField, randomCandles } from './candle-field.ts';

const OPTIONS = { seed: 271, historyBars: 30, forecastBars: 16, width: 640, height: 360, step: 14, bodyWidth: 8 };

test('draws the same field for a seed each time, and another for another seed', () => {
  expect(candleField(OPTIONS)).toEqual(candleField(OPTIONS));
  expect(candleField({ ...OPTIONS, seed: 272 }).history).not.toEqual(candleField(OPTIONS).history);
});

test('draws whole candles: each opens at the last close and stays within its high and low', () => {
  const candles = randomCandles(7, 200);

  for (const [bar, { open, high, low, close }] of candles.entries()) {
    expect(open).toBe(bar === 0 ? 0 : candles[bar - 1]?.close);
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
  }
});

test('starts the bands as a point at the join and ends them past the right edge, the inner within the outer', () => {
  const { joinX, band80, band95 } = candleField(OPTIONS);

  const points = (band: string) => [...band.matchAll(/([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
  const tops = (band: string) => points(band).slice(0, points(band).length / 2);
  expect(joinX).toBe(420);
  expect(points(band80)[0]).toEqual(points(band80).at(-1));
  expect(tops(band80).at(-1)?.[0]).toBeGreaterThanOrEqual(640);
  for (const [i, [, y = 0]] of tops(band80).entries()) expect(y).toBeGreaterThanOrEqual(tops(band95)[i]?.[1] ?? 0);
});
