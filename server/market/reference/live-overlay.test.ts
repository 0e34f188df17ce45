import { expect, test } from 'vitest';
import { type Coin, coinSchema } from '#domain/market/reference/global-metrics.ts';
import type { CandleHistory, HistorySlice } from '../candles/candle-history.ts';
import { type LivePrices, livePricesOf, withLivePrices } from './live-overlay.ts';

const aCoin = (figures: Partial<Coin> = {}): Coin => ({
  ...coinSchema.parse({ id: 'bitcoin', symbol: 'btc', name: 'Bitcoin' }),
  current_price: 100_000,
  market_cap: 2_000_000_000_000,
  high_24h: 101_000,
  low_24h: 99_000,
  price_change_24h: 1000,
  price_change_percentage_24h: 1.0101,
  ...figures,
});

const traded = (symbol: string, price: number): LivePrices =>
  new Map([[symbol, { price, attribution: 'Binance USD-M futures' }]]);

test('moves price, market cap, change and range with the live price', () => {
  const { coins, attributions } = withLivePrices([aCoin()], traded('btc', 102_000));
  const [coin] = coins;

  expect(coin).toMatchObject({
    current_price: 102_000,
    market_cap: 2_040_000_000_000,
    high_24h: 102_000,
    low_24h: 99_000,
    price_change_24h: 3000,
  });
  expect(coin?.price_change_percentage_24h).toBeCloseTo(3.0303, 3);
  expect(attributions).toEqual(['Binance USD-M futures']);
});

test('leaves missing figures missing', () => {
  const bare = { price_change_24h: null, price_change_percentage_24h: null, market_cap: null, high_24h: null };

  expect(withLivePrices([aCoin(bare)], traded('btc', 102_000)).coins[0]).toMatchObject({
    ...bare,
    current_price: 102_000,
  });
});

test.each([
  ['of another coin', { current_price: 100_000 }, 'eth', 102_000],
  ['that is far off', { current_price: 100_000 }, 'btc', 130_000],
  ['that is far off below', { current_price: 100_000 }, 'btc', 70_000],
  ['that is invalid', { current_price: 100_000 }, 'btc', Number.NaN],
  ['of a coin without a price', { current_price: null }, 'btc', 102_000],
])('ignores a price %s', (_what, figures, symbol, price) => {
  const coin = aCoin(figures);

  expect(withLivePrices([coin], traded(symbol, price))).toEqual({ coins: [coin], attributions: [] });
});

test('applies the price to the larger of two coins with one symbol', () => {
  const small = aCoin({ id: 'bitcoin-2' });

  const { coins } = withLivePrices([aCoin(), small], traded('btc', 102_000));
  const [large, same] = coins;

  expect([large?.current_price, same]).toEqual([102_000, small]);
});

const NOON_MS = 1_762_959_600_000;
const slice = (over: Partial<HistorySlice>): HistorySlice => ({
  candles: [{ time: NOON_MS / 1000 - 60, open: 1, high: 3, low: 1, close: 2 }],
  marketKind: 'live',
  venueId: 'binance',
  attribution: 'Binance USD-M futures',
  delayS: 0,
  asOfS: NOON_MS / 1000,
  isStale: false,
  isOpen: true,
  nowMs: NOON_MS,
  ...over,
});
const historyOf = (slice: HistorySlice): Pick<CandleHistory, 'latest'> => ({ latest: async () => slice });

test.each([
  ['fresh', {}, 2],
  ['old', { nowMs: NOON_MS + 600_000 }, undefined],
  ['not confirmed by its venue yet', { isStale: true }, undefined],
  ['not there', { candles: [] }, undefined],
])('uses the price of a last candle only if it is fresh: %s', async (_what, over, price) => {
  const prices = await livePricesOf(historyOf(slice(over)), new AbortController().signal);

  expect(prices.get('btc')?.price).toBe(price);
});
