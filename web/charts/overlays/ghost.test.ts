import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { ghostOf } from './ghost.ts';

const history: Candle[] = Array.from({ length: 150 }, (_, i) => ({
  time: i * 60,
  open: 100,
  high: 101,
  low: 99,
  close: 100,
}));
const joinS = 149 * 60;

test('real candles alone make the ghost: those of the forecast change nothing', () => {
  const wild: Candle = { time: joinS + 60, open: 100, high: 150, low: 50, close: 120 };

  const before = ghostOf({ candles: history, joinS, band: null });
  const after = ghostOf({ candles: [...history, wild], joinS, band: null });

  expect(before?.lastClose).toBe(100);
  expect(after).toEqual(before);
});

test('the ghost is stretched as the forecast is, so that the comparison stays fair', () => {
  const plain = ghostOf({ candles: history, joinS, band: null });
  const stretched = ghostOf({ candles: history, joinS, band: null, ampPercent: 250 });

  const move = (price = Number.NaN) => Math.log(price / 100);
  expect(move(stretched?.band.upper80[49])).toBeCloseTo(2.5 * move(plain?.band.upper80[49]), 10);
  expect(move(stretched?.band.lower95[0])).toBeCloseTo(2.5 * move(plain?.band.lower95[0]), 10);
});

test('without a forecast there is no ghost', () => {
  expect(ghostOf({ candles: history, joinS: null, band: null })).toBeNull();
});
