import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { foundMarketsSchema } from '#domain/market/catalogue/found-market.ts';
import { listingsOf } from '#domain/market/catalogue/listing.ts';
import { errorResponse } from '../../platform/http/calls/http-errors.ts';
import { marketListRoutes } from './market-list-routes.ts';

function setUp() {
  const requested: [string, number][] = [];
  const app = marketListRoutes({
    clock: { nowMs: () => 1_700_000_000_000 },
    catalogue: {
      async search(query, limit) {
        requested.push([query, limit]);
        return listingsOf([]).slice(0, limit);
      },
    },
  });
  app.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  return {
    requested,
    get: (query: string) => app.request(`/markets${query}`),
    post: () => app.request('/markets', { method: 'POST' }),
  };
}

test('returns what was found, never cached', async () => {
  const { requested, get } = setUp();

  const response = await get('?query=%20bt%20&limit=1');

  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(foundMarketsSchema.parse(await response.json())).toEqual({
    markets: [
      {
        label: 'BTC',
        exc: 'BINANCE',
        sym: 'BTCUSDT.P',
        base: 'BTC',
        quote: 'USDT',
        name: 'Bitcoin',
        kind: 'perpetual',
        status: 'trading',
        exchanges: ['BINANCE'],
        tickSize: 0.1,
        bookProductId: 'BTC-USD',
        listedAtS: null,
        isNew: false,
      },
    ],
  });
  expect(requested).toEqual([['bt', 1]]);
});

test('searches for nothing by default, and for twenty', async () => {
  const { requested, get } = setUp();

  await get('');

  expect(requested).toEqual([['', 20]]);
});

test.each([
  ['?limit=0', 'limit', 'invalid'],
  ['?limit=101', 'limit', 'invalid'],
  ['?limit=1e1', 'limit', 'invalid'],
  ['?limit=-1', 'limit', 'invalid'],
  ['?limit=', 'limit', 'invalid'],
  ['?limit=5&limit=6', 'limit', 'repeated'],
  ['?query=a&query=b', 'query', 'repeated'],
  [`?query=${'x'.repeat(41)}`, 'query', 'invalid'],
  ['?query=a%00', 'query', 'invalid'],
  ['?q=btc', 'query', 'unknown'],
])('refuses %s', async (query, parameter, problem) => {
  const { requested, get } = setUp();

  const response = await get(query);

  expect([response.status, await response.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'request/invalid', details: { parameter, problem } }),
  ]);
  expect(requested).toEqual([]);
});

test('refuses other methods', async () => {
  const { post } = setUp();

  expect((await post()).status).toBe(405);
});
