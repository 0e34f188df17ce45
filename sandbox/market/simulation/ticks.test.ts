import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { decimalText } from '#domain/market/codecs/decimal-text.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { simulatedSource } from './simulation.ts';
import { type Trade, ticksOf, tradesOfCandle } from './ticks.ts';

const MINUTE_S = 60;
const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;

/** Whole units of the last of `decimals` digits: sums without rounding. */
function unitsOf(value: number, decimals: number): bigint {
  const [whole = '', fraction = ''] = decimalText(value).split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

const decimalsOf = (value: number): number => decimalText(value).split('.')[1]?.length ?? 0;

function expectCandleOf(trades: readonly Trade[], candle: Candle): void {
  const prices = trades.map((t) => t.price);
  expect(prices[0]).toBe(candle.open);
  expect(prices.at(-1)).toBe(candle.close);
  expect(Math.max(...prices)).toBe(candle.high);
  expect(Math.min(...prices)).toBe(candle.low);
  const times = trades.map((t) => t.timeMs - candle.time * 1000);
  expect(times[0]).toBe(0);
  expect(times.every((ms, i) => ms < MINUTE_S * 1000 && ms >= (times[i - 1] ?? 0))).toBe(true);
  expect(trades.every((t, i) => i === 0 || t.id === (trades[i - 1]?.id ?? 0) + 1)).toBe(true);

  const volume = candle.volume ?? 0;
  const decimals = decimalsOf(volume);
  const sizes = trades.map((t) => unitsOf(t.size, decimals));
  expect(sizes.reduce((sum, size) => sum + size, 0n)).toBe(unitsOf(volume, decimals));
  const hasEnough = unitsOf(volume, decimals) >= BigInt(trades.length);
  if (hasEnough) expect(sizes.every((size) => size > 0n)).toBe(true);
  expect(trades.at(-1)?.volumeSoFar).toBe(volume);
}

/** Prices on any grid of up to four decimals, volumes of up to fifteen digits. */
const anyCandle = fc
  .record({
    time: fc.integer({ min: 0, max: 40_000_000 }).map((minute) => minute * MINUTE_S),
    prices: fc.array(fc.integer({ min: 1, max: 2_000_000 }), { minLength: 4, maxLength: 4 }),
    spread: fc.constantFrom(0, 1, 3, 50, 5000),
    priceDecimals: fc.integer({ min: 0, max: 4 }),
    units: fc.oneof(
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 0, max: 100_000 }),
      fc.integer({ min: 1, max: 999_999_999_999_999 }),
    ),
    volumeDecimals: fc.integer({ min: 0, max: 8 }),
    hasVolume: fc.boolean(),
  })
  .map(({ time, prices, spread, priceDecimals, units, volumeDecimals, hasVolume }): Candle => {
    const [base = 1] = prices;
    const price = (i: number): number => Number(`${base + ((prices[i] ?? 0) % (spread + 1))}e-${priceDecimals}`);
    const four = [0, 1, 2, 3].map(price);
    const [open = 0, close = 0] = four;
    const candle = { time, open, high: Math.max(...four), low: Math.min(...four), close };
    return hasVolume ? { ...candle, volume: Number(`${units}e-${volumeDecimals}`) } : candle;
  });

test('sums the trades of any candle to it exactly', () => {
  fc.assert(
    fc.property(anyCandle, fc.constantFrom(0.1, 0.01, 0.005, 0.00001), fc.nat(), (candle, tickSize, stream) => {
      expectCandleOf(tradesOfCandle(candle, tickSize, stream), candle);
    }),
    { numRuns: 500 },
  );
});

test('makes a trade above the one before a purchase, and one below a sale', () => {
  fc.assert(
    fc.property(anyCandle, fc.nat(), (candle, stream) => {
      const trades = tradesOfCandle(candle, 0.01, stream);
      for (const [i, { price, side }] of trades.entries()) {
        const last = trades[i - 1]?.price ?? price;
        if (price !== last) expect(side).toBe(price > last ? 'buy' : 'sell');
      }
    }),
  );
});

test('sums simulated minutes of every symbol, on its tick grid', () => {
  for (const symbol of SYMBOLS) {
    const source = simulatedSource(symbol, 'ticks');
    const ticks = ticksOf(symbol, source, 'ticks');
    for (let timeS = NOON_S; timeS < NOON_S + 90 * MINUTE_S; timeS += MINUTE_S) {
      const candle = source.candleAt(timeS);
      if (candle === null) throw new Error(`${symbol.sym} rests at ${timeS}`);
      const trades = ticks.tradesOf(timeS);

      expectCandleOf(trades, candle);
      const steps = trades.map((t) => t.price / symbol.tickSize);
      expect(steps.every((step) => Math.abs(step - Math.round(step)) < 1e-4)).toBe(true);
    }
  }
});

test('makes tens to hundreds of trades in busy minutes, at irregular times', () => {
  const symbol = symbolNamed('BTC');
  const ticks = ticksOf(symbol, simulatedSource(symbol, 'ticks'), 'ticks');
  const counts = Array.from({ length: 300 }, (_, i) => ticks.tradesOf(NOON_S + i * MINUTE_S).length);
  const sorted = counts.toSorted((a, b) => a - b);

  expect(sorted[150]).toBeGreaterThan(30);
  expect(sorted.at(-1)).toBeLessThanOrEqual(400);
  const times = ticks.tradesOf(NOON_S).map((t) => t.timeMs);
  const gaps = new Set(times.slice(1).map((ms, i) => ms - (times[i] ?? 0)));
  expect(gaps.size).toBeGreaterThan(times.length / 4);
});

test('gives the same trades in any order of calls, others for another seed', () => {
  const symbol = symbolNamed('BTC');
  const source = simulatedSource(symbol, 'a');
  const forwards = ticksOf(symbol, source, 'a');
  const backwards = ticksOf(symbol, source, 'a');
  const minutes = Array.from({ length: 20 }, (_, i) => NOON_S + i * MINUTE_S);

  const first = minutes.map((timeS) => forwards.tradesOf(timeS));
  const second = minutes.toReversed().map((timeS) => backwards.tradesOf(timeS));

  expect(second.reverse()).toEqual(first);
  expect(ticksOf(symbol, source, 'b').tradesOf(NOON_S)).not.toEqual(first[0]);
});

test('makes no trades in a minute without a candle', () => {
  const ticks = ticksOf(symbolNamed('MSFT'), simulatedSource(symbolNamed('MSFT'), 'a'), 'a');

  expect(ticks.tradesOf(Date.parse('2025-11-15T15:00:00Z') / 1000)).toEqual([]);
});

test('makes one trade of a volume that no float splits exactly', () => {
  const candle = { time: NOON_S, open: 1, high: 3, low: 1, close: 2, volume: 0.1 + 0.2 };

  const trades = tradesOfCandle(candle, 0.1, 1);

  expect(trades.reduce((sum, t) => sum + t.size, 0)).toBe(candle.volume);
  expect(trades.at(-1)?.volumeSoFar).toBe(candle.volume);
});
