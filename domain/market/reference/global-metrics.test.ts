import { expect, test } from 'vitest';
import { coinSchema, coinsSchema, globalMetricsSchema } from './global-metrics.ts';

const GLOBAL = {
  data: {
    active_cryptocurrencies: 17_000,
    total_market_cap: { usd: 3.43e12, eur: 3e12 },
    total_volume: { usd: 5.38e10 },
    market_cap_percentage: { btc: 62.5, eth: 9.1 },
    market_cap_change_percentage_24h_usd: null,
    updated_at: 1_777_248_000,
  },
};

test('keeps what is known of the whole market, and nothing else', () => {
  expect(globalMetricsSchema.parse(GLOBAL)).toEqual({
    data: {
      total_market_cap: { usd: 3.43e12 },
      total_volume: { usd: 5.38e10 },
      market_cap_percentage: { btc: 62.5, eth: 9.1 },
      market_cap_change_percentage_24h_usd: null,
      updated_at: 1_777_248_000,
    },
  });
});

test.each([
  ['without a market cap', { total_market_cap: {} }],
  ['with a negative volume', { total_volume: { usd: -1 } }],
  ['with more than everything', { market_cap_percentage: { btc: 101 } }],
  ['with text for a number', { total_volume: { usd: '5' } }],
  ['with an endless number', { total_volume: { usd: Number.POSITIVE_INFINITY } }],
])('takes an answer %s for none', (_what, change) => {
  expect(globalMetricsSchema.safeParse({ data: { ...GLOBAL.data, ...change } }).success).toBe(false);
});

test('accepts null or absent numbers of a coin, but no missing names', () => {
  const bare = { id: 'bitcoin', symbol: 'btc', name: 'Bitcoin' };

  expect(coinSchema.parse({ ...bare, current_price: null })).toMatchObject({ current_price: null, market_cap: null });
  expect(coinSchema.safeParse({ ...bare, symbol: '' }).success).toBe(false);
  expect(coinSchema.safeParse({ ...bare, current_price: -1 }).success).toBe(false);
  expect(coinsSchema.safeParse({ error: 'x' }).success).toBe(false);
});
