import { expect, test } from 'vitest';
import { namesOf } from './catalogue/market.ts';
import { marketDecimals, marketLabel, namedMarket } from './named-market.ts';
import { SYMBOLS } from './symbols.ts';

test('finds the ten by code and by label', () => {
  for (const symbol of SYMBOLS) {
    expect(namedMarket(symbol.sym)).toBe(symbol);
    expect(namedMarket(symbol.label)).toBe(symbol);
  }
});

test.each([
  ['PEPE', 'USDT', 'perpetual'],
  ['1000SATS', 'USDC', 'perpetual'],
  ['PEPE', 'USDT', 'spot'],
  ['USDT', 'USD', 'spot'],
  ['PYUSD', 'USD', 'spot'],
  ['LINK', 'PYUSD', 'spot'],
  ['SHIB', 'EUR', 'spot'],
  ['ETH', 'BTC', 'spot'],
  ['BTCDOM', 'USDT', 'perpetual'],
] as const)('finds %s against %s, %s, by its code and by its label', (base, quote, kind) => {
  const names = namesOf(base, quote, kind);

  const found = { ...names, assetClass: 'crypto', decimals: null };
  expect(namedMarket(names?.sym ?? '')).toEqual(found);
  expect(namedMarket(names?.label ?? '')).toEqual(found);
});

test.each(['', 'XRP', 'GC2!', 'PEPE/USDT/X', '/USDT', 'pepe/usdt', 'PEPEEUR.P', 'PEPE/ spot'])(
  'knows no market %j, and labels it by its name',
  (name) => {
    expect(namedMarket(name)).toBeNull();
    expect(marketLabel(name)).toBe(name);
  },
);

test('takes decimals from the table, or from the prices of a market beside it', () => {
  expect(marketDecimals('BTC', [100_000.123])).toBe(1);
  expect(marketDecimals('PEPEUSDT.P', [0.0000081, 0.00000812, 8e-6])).toBe(8);
  expect(marketDecimals('SATS/USDT', [1.7512e-7, 0.1 + 0.2])).toBe(11);
  expect(marketDecimals('PEPE/USDT', [])).toBe(0);
});
