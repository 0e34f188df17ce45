import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAppError } from '#domain/errors/app-error.ts';
import { coinsSchema } from '#domain/market/reference/global-metrics.ts';
import { createLogger } from '../../../platform/telemetry/log.ts';
import { type CoinGeckoOptions, coinGecko } from './coingecko.ts';
import { coinMarketCap } from './coinmarketcap.ts';

const never = new AbortController().signal;
const log = createLogger('silent');

function setUp(body: unknown, options: Partial<CoinGeckoOptions> = {}) {
  const calls: { url: URL; headers: Headers }[] = [];
  const answer: typeof fetch = async (url, init) => {
    calls.push({ url: new URL(String(url)), headers: new Headers(init?.headers) });
    return Response.json(body);
  };
  const parts = { restUrl: 'https://api.coingecko.com', key: null, log, isLive: true, spend: undefined };
  return { calls, answer, gecko: coinGecko({ ...parts, fetch: answer, ...options }) };
}

const aRow = (id: string) => ({ id, symbol: id, name: id, current_price: 1, image: 'https://x/y.png', roi: null });

test.each([
  ['no key', null, 'api.coingecko.com', null],
  ['a demo key', { key: 'k', plan: 'demo' } as const, 'api.coingecko.com', 'x-cg-demo-api-key'],
  ['a paid key', { key: 'k', plan: 'paid' } as const, 'pro-api.coingecko.com', 'x-cg-pro-api-key'],
])('requests the right host with the right header with %s', async (_what, key, host, header) => {
  const { calls, gecko } = setUp([aRow('btc')], { key });

  await gecko.coins(never);

  expect(calls[0]?.url.host).toBe(host);
  expect(calls[0]?.url.searchParams.get('per_page')).toBe('250');
  const sent = [...(calls[0]?.headers.keys() ?? [])].filter((name) => name.startsWith('x-cg'));
  expect(sent).toEqual(header === null ? [] : [header]);
});

test('keeps a custom address on any plan', async () => {
  const { calls, gecko } = setUp([aRow('btc')], { restUrl: 'http://here/base', key: { key: 'k', plan: 'paid' } });

  await gecko.coins(never);

  expect(calls[0]?.url.href.startsWith('http://here/base/api/v3/')).toBe(true);
});

test('omits malformed coins and unknown fields', async () => {
  const { gecko } = setUp([aRow('btc'), { ...aRow('eth'), current_price: 'NaN' }, aRow('sol'), null]);

  const coins = await gecko.coins(never);

  expect(coins.map((coin) => coin.id)).toEqual(['btc', 'sol']);
  expect(Object.keys(coins[0] ?? {})).not.toContain('image');
});

test.each([
  ['empty', []],
  ['mostly malformed', [aRow('btc'), 1, 2, 3]],
  ['no list', { status: { error_code: 429 } }],
])('fails for a list that is %s', async (_what, body) => {
  await expect(setUp(body).gecko.coins(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
});

test('returns valid coins or a refusal for any list', async () => {
  const cell = fc.oneof(fc.jsonValue(), fc.constantFrom('NaN', -1, 0, 1e300, null, '1'));
  const row = fc.record(
    { id: fc.oneof(fc.string(), cell), symbol: fc.string(), name: fc.string(), current_price: cell, market_cap: cell },
    { requiredKeys: [] },
  );
  const body = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(row, fc.constant(aRow('btc'))), { maxLength: 20 }));
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const coins = await setUp(sent)
        .gecko.coins(never)
        .catch((error: unknown) => error);

      expect(coinsSchema.safeParse(coins).success || (isAppError(coins) && coins.code === 'venue/unavailable')).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});

const capAnswer = (code: unknown, dominance: unknown = 58.2) => ({
  status: { error_code: code },
  data: {
    btc_dominance: dominance,
    eth_dominance: 12,
    quote: { USD: { total_market_cap: 3.4e12, total_volume_24h: 1e11, stale: false } },
  },
});

test('converts CoinMarketCap’s figures to CoinGecko’s format', async () => {
  const { calls, answer } = setUp(capAnswer('0'));
  const call = coinMarketCap({ restUrl: 'https://pro', key: 'k', log, spend: undefined, fetch: answer });

  expect(await call(never)).toEqual({
    data: {
      total_market_cap: { usd: 3.4e12 },
      total_volume: { usd: 1e11 },
      market_cap_percentage: { btc: 58.2, eth: 12 },
    },
  });
  expect(calls[0]?.headers.get('x-cmc_pro_api_key')).toBe('k');
});

test.each([
  ['an error in a good answer', capAnswer(1008)],
  ['more than everything', capAnswer(0, 158)],
])('fails when CoinMarketCap answers %s', async (_what, body) => {
  const { answer } = setUp(body);
  const call = coinMarketCap({ restUrl: 'https://pro', key: 'k', log, spend: undefined, fetch: answer });

  await expect(call(never)).rejects.toMatchObject({ code: 'venue/unavailable' });
});
