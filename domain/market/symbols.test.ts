import { expect, test } from 'vitest';
import { SYMBOLS } from './symbols.ts';

/** The only test that pins the list. All others find a symbol by name and count with SYMBOLS.length. */
test('lists the specified symbols in the specified order', () => {
  expect(SYMBOLS.map(({ label, exc, sym }) => `${label} ${exc}:${sym}`)).toEqual([
    'BTC BINANCE:BTCUSDT.P',
    'ETH BINANCE:ETHUSDT.P',
    'SOL BINANCE:SOLUSDT.P',
    'DOGE BINANCE:DOGEUSDT.P',
    'MSFT NASDAQ:MSFT',
    'AAPL NASDAQ:AAPL',
    'TSLA NASDAQ:TSLA',
    'Gold COMEX:GC1!',
    'DXY ICEUS:DX1!',
    'Oil NYMEX:CL1!',
  ]);
});

test.each(['label', 'sym'] as const)('has no two symbols with one %s', (column) => {
  expect(new Set(SYMBOLS.map((symbol) => symbol[column])).size).toBe(SYMBOLS.length);
});
