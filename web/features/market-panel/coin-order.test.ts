import { expect, test } from 'vitest';
import { type CoinSort, drawnSpanMs, sortedCoins, spanLabel } from './coin-order.ts';
import type { TopCoin } from './market-snapshot.ts';

const aCoin = (symbol: string, change: Partial<TopCoin>): TopCoin => ({
  id: symbol,
  symbol,
  name: symbol,
  current_price: 1,
  price_change_percentage_24h: 0,
  market_cap: 1,
  total_volume: 1,
  ...change,
});
const COINS = [
  aCoin('BTC', { current_price: 100, price_change_percentage_24h: -1 }),
  aCoin('ETH', { current_price: null, price_change_percentage_24h: 2 }),
  aCoin('ADA', { current_price: 3, price_change_percentage_24h: null }),
  aCoin('SOL', { current_price: 100, price_change_percentage_24h: 2 }),
];
const order = (key: CoinSort['key'], direction: CoinSort['direction']) =>
  sortedCoins(COINS, { key, direction }).map(({ coin, rank }) => `${rank} ${coin.symbol}`);

test('sorts by any column, with missing values last and equal ones by rank', () => {
  expect(order('rank', 'asc')).toEqual(['1 BTC', '2 ETH', '3 ADA', '4 SOL']);
  expect(order('rank', 'desc')).toEqual(['4 SOL', '3 ADA', '2 ETH', '1 BTC']);
  expect(order('coin', 'asc')).toEqual(['3 ADA', '1 BTC', '2 ETH', '4 SOL']);
  expect(order('price', 'desc')).toEqual(['1 BTC', '4 SOL', '3 ADA', '2 ETH']);
  expect(order('price', 'asc')).toEqual(['3 ADA', '1 BTC', '4 SOL', '2 ETH']);
  expect(order('change', 'desc')).toEqual(['2 ETH', '4 SOL', '1 BTC', '3 ADA']);
});

test.each([
  [7 * 86_400_000 - 60_000, '7 days'],
  [86_400_000, '1 day'],
  [1.6 * 86_400_000, '2 days'],
])('names the span of %d ms as %s', (spanMs, label) => {
  expect(spanLabel(spanMs)).toBe(label);
});

test.each([
  ['nothing', null, null],
  ['all but a minute of a day', 60_000, null],
  ['a day', 0, 86_400_000],
])('draws lines only once a day of prices is stored: %s', (_what, sinceMs, spanMs) => {
  expect(drawnSpanMs(sinceMs, 86_400_000)).toBe(spanMs);
});
