/**
 * The sandbox in place of CoinGecko, CoinMarketCap and alternative.me: shapes, keys, limits and refusals over HTTP.
 */
import { expect, test } from 'vitest';
import { fearGreedSchema } from '#domain/market/reference/fear-greed.ts';
import { globalMetricsSchema } from '#domain/market/reference/global-metrics.ts';
import { type SandboxMarket, startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const clock = movableClock('2026-11-20T15:00:20Z');
const sandbox = openedForTests(
  (): Promise<SandboxMarket> => startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 's', startMs: null }),
);

async function request(service: 'coingecko' | 'coinmarketcap' | 'fearGreed', path: string, headers = {}) {
  clock.ms += 10_000;
  const answer = await fetch(sandbox().addresses[service].restUrl + path, { headers });
  const body: unknown = await answer.json();
  return { status: answer.status, headers: answer.headers, body };
}
const LIST = '/api/v3/coins/markets?vs_currency=usd';

test("serves CoinGecko's list by pages, without a key or with a valid one", async () => {
  const first = await request('coingecko', `${LIST}&per_page=2`);
  const second = await request('coingecko', `${LIST}&per_page=2&page=2`, { 'x-cg-demo-api-key': 'sandbox' });

  expect(first.body).toMatchObject([
    { symbol: 'btc', market_cap_rank: 1 },
    { symbol: 'eth', market_cap_rank: 2 },
  ]);
  expect(second.body).toMatchObject([{ market_cap_rank: 3 }, { market_cap_rank: 4 }]);
});

test("refuses a wrong key with each service's own error", async () => {
  const gecko = await request('coingecko', '/api/v3/global', { 'x-cg-demo-api-key': 'stolen' });
  const cap = await request('coinmarketcap', '/v1/global-metrics/quotes/latest', { 'x-cmc_pro_api_key': 'stolen' });
  const none = await request('coinmarketcap', '/v1/global-metrics/quotes/latest');

  expect([gecko.status, gecko.body]).toMatchObject([401, { status: { error_code: 10_002 } }]);
  expect([cap.status, cap.body]).toMatchObject([401, { status: { error_code: 1001 } }]);
  expect([none.status, none.body]).toMatchObject([401, { status: { error_code: 1002 } }]);
});

test('returns the same market from both list services, of which Bitcoin is about half', async () => {
  const gecko = await request('coingecko', '/api/v3/global');
  clock.ms -= 10_000;
  const cap = await request('coinmarketcap', '/v1/global-metrics/quotes/latest', { 'x-cmc_pro_api_key': 'sandbox' });

  expect(cap.status).toBe(200);
  const { data } = globalMetricsSchema.parse(gecko.body);
  expect(data.market_cap_percentage.btc).toBeGreaterThan(35);
  expect(data.market_cap_percentage.btc).toBeLessThan(75);
  expect(cap.body).toMatchObject({
    status: { error_code: 0 },
    data: {
      btc_dominance: data.market_cap_percentage.btc,
      quote: { USD: { total_market_cap: data.total_market_cap.usd } },
    },
  });
});

test('returns one fear and greed value per UTC day as text, with the time to the next', async () => {
  const now = await request('fearGreed', '/fng/?limit=3');
  const later = await request('fearGreed', '/fng/?limit=3');

  const row = { value: expect.stringMatching(/^\d{1,2}$/), timestamp: expect.stringMatching(/^\d+$/) };
  expect(now.body).toMatchObject({ data: [{ ...row, time_until_update: expect.any(String) }, row, row] });
  const values = (body: unknown) => fearGreedSchema.parse(body).data.map(({ value }) => value);
  expect(values(later.body)).toEqual(values(now.body));
  clock.ms += 86_400_000;
  const tomorrow = await request('fearGreed', '/fng/?limit=3');
  expect(values(tomorrow.body).slice(1)).toEqual(values(now.body).slice(0, 2));
});
