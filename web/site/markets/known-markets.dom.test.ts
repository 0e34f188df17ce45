import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { symbolOfFound } from '#domain/market/catalogue/found-market.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { reloadPage } from '../../testing/fresh-page.ts';
import { aFound } from '../testing/found-market-fixtures.ts';
import { knownSymbol, rememberMarket, useKnownMarkets } from './known-markets.ts';

const [BTC] = SYMBOLS;
const product = (base: string, bookProductId: string | null = null) => symbolOfFound(aFound(base, { bookProductId }));
const stored = () => window.localStorage.getItem('kat-markets');

test('knows a chosen product by its label or code in any case, also on the next page', () => {
  expect(knownSymbol('LINK/USDT')).toBeNull();
  rememberMarket(product('LINK', 'LINK-USD'));
  rememberMarket(product('PEPE'));

  reloadPage();

  expect(['link/usdt', 'LINKUSDT.P'].map(knownSymbol)).toEqual(Array(2).fill(product('LINK', 'LINK-USD')));
  expect(knownSymbol('pepe/usdt')).toEqual(product('PEPE'));
  expect(renderHook(useKnownMarkets).result.current.map(({ label }) => label)).toEqual(['PEPE/USDT', 'LINK/USDT']);
});

test('knows the ten without storing them', () => {
  expect(rememberMarket({ ...BTC })).toBe(BTC);
  expect(knownSymbol('btc')).toBe(BTC);
  expect(stored()).toBeNull();
});

test('keeps the last twelve, the last chosen first, and one of each', () => {
  const { result } = renderHook(useKnownMarkets);
  act(() => {
    for (let i = 0; i < 13; i++) rememberMarket(product(`C${i}`));
    rememberMarket(product('C5'));
  });

  const bases = result.current.map(({ label }) => label.replace('/USDT', ''));
  expect(bases).toEqual(['C5', 'C12', 'C11', 'C10', 'C9', 'C8', 'C7', 'C6', 'C4', 'C3', 'C2', 'C1']);
  expect(stored()?.split('\n')).toHaveLength(12);
});

test('reads over stored lines of another shape', () => {
  const lines = ['', 'A|B', 'A/USDT|BINANCE|AUSDT.P|0', 'B/USDT|BINANCE||1', 'C/USDT|BINANCE|CUSDT.P|0.01'];
  window.localStorage.setItem('kat-markets', lines.join('\n'));
  reloadPage();

  expect(renderHook(useKnownMarkets).result.current.map(({ label }) => label)).toEqual(['C/USDT']);
  expect(knownSymbol('C/USDT')).toMatchObject({ decimals: 2, bookProductId: null });
});
