import { expect, test } from 'vitest';
import type { Candle } from '../market/candle.ts';
import { ghostBaseline } from './ghost-baseline.ts';

/** One candle a minute whose return and range are both `move`. */
function steady(count: number, move: number): Candle[] {
  return Array.from({ length: count }, (_, i) => {
    const [low, high] = [100 * Math.exp(-move / 2), 100 * Math.exp(move / 2)];
    const isUp = i % 2 === 0;
    return { time: i * 60, open: isUp ? low : high, high, low, close: isUp ? high : low };
  });
}

test('has its median at the last close, and widens its band with the root of time', () => {
  const history = steady(150, 0.001);

  const ghost = ghostBaseline(history);

  const { band, lastClose, scale } = ghost ?? {};
  expect(lastClose).toBe(history.at(-1)?.close);
  expect(band?.upper80).toHaveLength(50);
  const width = (edge: number | undefined) => Math.log((edge ?? Number.NaN) / (lastClose ?? Number.NaN));
  expect(width(band?.upper80[0])).toBeCloseTo(1.2816 * (scale ?? 0), 6);
  expect(width(band?.upper95[48])).toBeCloseTo(1.96 * (scale ?? 0) * 7, 6);
  expect(width(band?.lower80[24])).toBeCloseTo(-width(band?.upper80[24]), 12);
});

test('blends half the squared return with half of Parkinson’s variance', () => {
  const ghost = ghostBaseline(steady(150, 0.001));

  expect(ghost?.scale).toBeCloseTo(Math.sqrt(0.5 * 1e-6 + (0.5 * 1e-6) / (4 * Math.LN2)), 12);
});

test('weighs a minute that lies a half-life back by half', () => {
  const calm = steady(200, 0);
  const shockAt = (index: number) =>
    calm.map((candle, i) => (i === index ? { ...candle, high: 101, low: 99 } : candle));

  const near = ghostBaseline(shockAt(199))?.scale ?? 0;
  const far = ghostBaseline(shockAt(139))?.scale ?? 0;

  expect(far ** 2 / near ** 2).toBeCloseTo(0.5, 10);
});

test('ignores gaps without trading in its width', () => {
  const [first, second] = [steady(100, 0.001), steady(100, 0.001)];
  const later = second.map((candle) => ({
    time: candle.time + 100_000,
    open: candle.open * 1.2,
    high: candle.high * 1.2,
    low: candle.low * 1.2,
    close: candle.close * 1.2,
  }));

  const ghost = ghostBaseline([...first, ...later]);

  expect(ghost?.scale).toBeCloseTo(ghostBaseline(first)?.scale ?? 0, 12);
});

test('keeps a least width at constant prices, and returns null without a candle', () => {
  expect(ghostBaseline(steady(150, 0))?.scale).toBe(2e-5);
  expect(ghostBaseline([])).toBeNull();
});

test('takes longer candles as joined by their own length', () => {
  const minutes = steady(150, 0.001);
  const longer = minutes.map((candle) => ({ ...candle, time: candle.time * 5 }));

  expect(ghostBaseline(longer, 50, 300)).toEqual(ghostBaseline(minutes));
});
