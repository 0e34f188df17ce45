import { expect, test } from 'vitest';
import { isOpen } from '#domain/market/calendar/trading-hours.ts';
import { type Candle, isWellFormed, MINUTE_S } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { sampleSize } from '../../../tests/support/run/test-size.ts';
import { simulatedSource } from './simulation.ts';

const START_S = Date.parse('2026-09-01T00:00:00Z') / 1000;
const MINUTES = sampleSize(28, 42) * 1440;
const BTC = symbolNamed('BTC');

function candlesOf(symbol: MarketSymbol, seed: string, minutes = MINUTES): Candle[] {
  const source = simulatedSource(symbol, seed);
  const times = Array.from({ length: minutes }, (_, i) => START_S + i * MINUTE_S);
  return times.map((time) => source.candleAt(time)).filter((candle) => candle !== null);
}

/** Log returns in basis points between candles that touch. */
function returnsOf(candles: readonly Candle[]): number[] {
  return candles.flatMap((candle, i) => {
    const before = candles[i - 1];
    return before?.time === candle.time - MINUTE_S ? [Math.log(candle.close / before.close) * 1e4] : [];
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function correlation(xs: readonly number[], ys: readonly number[]): number {
  const [mx, my] = [mean(xs), mean(ys)];
  const covariance = mean(xs.map((x, i) => (x - mx) * ((ys[i] ?? my) - my)));
  return covariance / Math.sqrt(mean(xs.map((x) => (x - mx) ** 2)) * mean(ys.map((y) => (y - my) ** 2)));
}

const autocorrelation = (values: readonly number[], lag: number): number =>
  correlation(values.slice(lag), values.slice(0, -lag));

/** Measured on recorded candles of the same markets; dollar index and oil are assumptions. */
const MEASURED = [
  { label: 'BTC', sdBp: 4.25, zeroShare: 0.058, level: [60_000, 160_000] },
  { label: 'ETH', sdBp: 7.3, zeroShare: 0.052, level: [1800, 6000] },
  { label: 'SOL', sdBp: 10, zeroShare: 0.03, level: [80, 400] },
  { label: 'DOGE', sdBp: 9.7, zeroShare: 0.086, level: [0.1, 0.5] },
  { label: 'MSFT', sdBp: 9.3, zeroShare: 0.022, level: [300, 750] },
  { label: 'AAPL', sdBp: 12.9, zeroShare: 0.03, level: [150, 450] },
  { label: 'TSLA', sdBp: 20.9, zeroShare: 0.012, level: [170, 900] },
  { label: 'Gold', sdBp: 4.4, zeroShare: 0.004, level: [3000, 5600] },
  { label: 'DXY', sdBp: 1.2, zeroShare: 0.28, level: [85, 115] },
  { label: 'Oil', sdBp: 6, zeroShare: 0.2, level: [35, 110] },
] as const;

test.each(MEASURED)('moves $label like the measured market', ({ label, sdBp, zeroShare, level }) => {
  const symbol = symbolNamed(label);
  const candles = candlesOf(symbol, 'kat');

  const returns = returnsOf(candles);
  const sizes = returns.map(Math.abs);
  const variance = mean(returns.map((r) => r * r));

  expect(candles.every(isWellFormed)).toBe(true);
  expect(Math.sqrt(variance) / sdBp).toBeGreaterThan(0.65);
  expect(Math.sqrt(variance) / sdBp).toBeLessThan(1.55);
  expect(mean(returns.map((r) => r ** 4)) / variance ** 2).toBeGreaterThan(12);
  expect(mean(returns.map((r) => r ** 4)) / variance ** 2).toBeLessThan(130);
  expect(Math.abs(autocorrelation(returns, 1))).toBeLessThan(0.06);
  expect(autocorrelation(sizes, 1)).toBeGreaterThan(0.2);
  expect(autocorrelation(sizes, 1)).toBeLessThan(0.45);
  expect(autocorrelation(sizes, 60)).toBeGreaterThan(0.05);
  expect(autocorrelation(sizes, 60)).toBeLessThan(0.32);
  expect(Math.abs(returns.filter((r) => r === 0).length / returns.length - zeroShare)).toBeLessThan(0.035);
  expect(Math.min(...candles.map((c) => c.low))).toBeGreaterThan(level[0]);
  expect(Math.max(...candles.map((c) => c.high))).toBeLessThan(level[1]);
});

test.each(['BTC', 'MSFT', 'Gold'])('gives %s the wicks and volumes of a real feed', (label) => {
  const symbol = symbolNamed(label);
  const candles = candlesOf(symbol, 'kat', 14 * 1440);
  const ranges = candles.map((c) => Math.log(c.high / c.low) * 1e4);
  const traded = candles.filter((c) => c.high > c.low);

  const bodyShare = mean(returnsOf(candles).map(Math.abs)) / mean(ranges);
  const volumeToRange = correlation(
    traded.map((c) => Math.log(c.volume ?? 0)),
    traded.map((c) => Math.log(Math.log(c.high / c.low))),
  );

  expect(1 / bodyShare).toBeGreaterThan(1.5);
  expect(1 / bodyShare).toBeLessThan(2);
  expect(volumeToRange).toBeGreaterThan(0.5);
  expect(volumeToRange).toBeLessThan(0.95);
});

test('makes mornings in Asia calmer than the New York opening', () => {
  const sizeAt = (hours: readonly number[]): number =>
    mean(
      returnsOf(candlesOf(BTC, 'rhythm')).flatMap((r, i) =>
        hours.includes(Math.floor(((i + 1) % 1440) / 60)) ? [Math.abs(r)] : [],
      ),
    );

  expect(sizeAt([14, 15]) / sizeAt([4, 5])).toBeGreaterThan(1.4);
});

test('gives the same candles for the same seed in any order of calls, others for another', () => {
  const times = Array.from({ length: 50 }, (_, i) => START_S + i * 733 * MINUTE_S);
  const forward = simulatedSource(BTC, 'a');
  const backward = simulatedSource(BTC, 'a');
  const other = simulatedSource(BTC, 'b');

  const first = times.map((time) => forward.candleAt(time));
  const again = times
    .toReversed()
    .map((time) => backward.candleAt(time))
    .reverse();

  expect(again).toEqual(first);
  expect(times.map((time) => other.candleAt(time))).not.toEqual(first);
});

test('joins days without a jump: an hour around midnight moves like any other', () => {
  const source = simulatedSource(BTC, 'kat');
  const steps = Array.from({ length: 40 }, (_, day) => {
    const midnightS = START_S + (day + 1) * 86_400;
    const [before, after] = [source.candleAt(midnightS - MINUTE_S), source.candleAt(midnightS)];
    return Math.abs(Math.log((after?.open ?? 0) / (before?.close ?? 1))) * 1e4;
  });

  expect(Math.max(...steps)).toBeLessThan(0.05);
});

test('trades shares in their hours alone, at prices on the tick', () => {
  const share = symbolNamed('AAPL');
  const candles = candlesOf(share, 'kat', 7 * 1440);

  // The first week of September 2026 has four sessions: Monday the 7th is Labor Day.
  expect(candles).toHaveLength(4 * 390);
  expect(candles.every((c) => isOpen(share.hours, c.time))).toBe(true);
  expect(candles.every((c) => Math.abs(c.close * 100 - Math.round(c.close * 100)) < 1e-6)).toBe(true);
});

test.each([Number.NaN, -60, 0, START_S + 1, 1_000_000_020])('has no candle at %d', (timeS) => {
  expect(simulatedSource(BTC, 'kat').candleAt(timeS)).toBeNull();
});
