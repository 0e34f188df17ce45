import { expect, test } from 'vitest';
import { firstPrices, parsePrice, priceAfterKey, toTick } from './price-line.ts';

const BTC = { tickSize: 0.1, decimals: 1 };
const key = (name: string, shiftKey = false) => ({ key: name, shiftKey });

test.each([
  ['64120.55', 64120.55],
  [' 64,120.5 ', 64120.5],
  ['$0.5', 0.5],
  ['.5', 0.5],
  ['12.', 12],
  ['0.0₅812', 0.00000812],
  ['0.0₁₀5', 5e-11],
  ['0.0₀5', 0.05],
  ['0', null],
  ['-5', null],
  ['1e9', null],
  ['', null],
  ['Infinity', null],
  ['64 120,5x', null],
])('reads %j as the price %s', (text, price) => {
  expect(parsePrice(text)).toBe(price);
});

test('moves by a tick with an arrow key, and by five basis points with Page keys or Shift', () => {
  expect(priceAfterKey(key('ArrowUp'), 64_000, BTC)).toBe(64_000.1);
  expect(priceAfterKey(key('ArrowDown'), 64_000, BTC)).toBe(63_999.9);
  expect(priceAfterKey(key('PageUp'), 64_000, BTC)).toBe(64_032);
  expect(priceAfterKey(key('ArrowDown', true), 64_000, BTC)).toBe(63_968);
  expect(priceAfterKey(key('Enter'), 64_000, BTC)).toBeNull();
});

test('never reaches zero, and keeps to the venue’s ticks', () => {
  expect(priceAfterKey(key('PageDown'), 0.1, BTC)).toBe(0.1);
  expect(toTick(0.123456, { tickSize: 0.00001, decimals: 5 })).toBe(0.12346);
  // A cheap coin's larger step is ten ticks at least.
  expect(priceAfterKey(key('PageUp'), 1, BTC)).toBe(2);
});

test('starts with a line half way to the band’s edge, and a stop as far below as the target is above', () => {
  const edge = (price: number) => [price];
  const band = { lower80: edge(63_800), upper80: edge(64_200), lower95: edge(63_600), upper95: edge(64_400) };

  expect(firstPrices(64_000, band, BTC)).toEqual({ line: 64_100, target: 64_100, stop: 63_900 });
  // The band of an older forecast may lie below the price.
  expect(firstPrices(64_300, band, BTC)).toEqual({ line: 64_364.3, target: 64_364.3, stop: 64_235.7 });
  expect(firstPrices(64_000, null, BTC)).toEqual({ line: 64_064, target: 64_064, stop: 63_936 });
});
