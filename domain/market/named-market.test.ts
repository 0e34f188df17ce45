import { expect, test } from 'vitest';
import { namesOf } from './catalogue/market.ts';
import { assetClassOf, marketCode, marketDecimals, marketLabel, quoteOf } from './named-market.ts';
import { SYMBOLS } from './symbols.ts';

test('names the ten as their table does', () => {
  for (const { sym, label, assetClass } of SYMBOLS)
    expect([marketLabel(sym), marketCode(label), assetClassOf(label)]).toEqual([label, sym, assetClass]);
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
] as const)('names %s against %s, %s, as the catalogue does', (base, quote, kind) => {
  const { sym = '', label = '' } = namesOf(base, quote, kind) ?? {};

  expect([marketLabel(sym), marketCode(label), assetClassOf(label)]).toEqual([label, sym, 'crypto']);
});

test.each(['', 'NOCOIN', 'GC2!', 'PEPE/USDT/X', '/USDT', 'pepe/usdt', 'PEPE/ spot'])(
  'knows no market %j, and leaves its name',
  (name) => {
    expect([marketLabel(name), marketCode(name)]).toEqual([name, name]);
  },
);

test('knows no class of a name without a quote', () => {
  expect(assetClassOf('Something')).toBeNull();
});

test('takes decimals from the table, or from the prices of a market beside it', () => {
  expect(marketDecimals('BTC', [100_000.123])).toBe(1);
  expect(marketDecimals('PEPEUSDT.P', [0.0000081, 0.00000812, 8e-6])).toBe(8);
  expect(marketDecimals('SATS/USDT', [1.7512e-7, 0.1 + 0.2])).toBe(11);
  expect(marketDecimals('PEPE/USDT', [])).toBe(0);
});

test.each([
  ['BTCUSDT.P', 'USD'],
  ['LINKPYUSD', 'USD'],
  ['MSFT', 'USD'],
  ['GC1!', 'USD'],
  ['DX1!', 'points'],
  ['ETHBTC', 'BTC'],
  ['SHIBEURC', 'EUR'],
  ['BTCGBP', 'GBP'],
])('reads what a price of %s counts: %s', (sym, unit) => {
  expect(quoteOf(sym)).toBe(unit);
});
