import { afterEach, expect, test, vi } from 'vitest';
import { isTooLate } from '../../platform/calls/time-limit.ts';
import { fetchCoins, fetchFearGreed, fetchGlobal } from './market-panel-api.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const GLOBAL = '/api/v3/global';
const COINS =
  '/api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=50&page=1&sparkline=false&price_change_percentage=24h';
const INDEX = '/fng/?limit=1';

const coin = (id: string, symbol: string, price: number | null = 10) => ({
  id,
  symbol,
  name: id,
  current_price: price,
  market_cap: 1e9,
  total_volume: 1e6,
  price_change_percentage_24h: null,
});
const LIST = [
  coin('bitcoin', 'btc', 100_000),
  coin('ethereum', 'eth', 3600),
  ...Array.from({ length: 30 }, (_, i) => coin(`coin-${i}`, 'btc')),
];
const sourced = (attribution: string, fetchedAt: string, isStale = 'false') => ({
  headers: {
    'x-fetched-at': fetchedAt,
    'x-market-stale': isStale,
    'x-market-kind': 'live',
    'x-market-attribution': attribution,
  },
});
const answers = (): Record<string, () => Response | Error> => ({
  [GLOBAL]: () =>
    Response.json(
      { data: { total_market_cap: { usd: 3e12 }, total_volume: { usd: 1e11 }, market_cap_percentage: { btc: 61.5 } } },
      sourced('CoinGecko', '2026-11-21T12:00:00.000Z'),
    ),
  [COINS]: () => Response.json(LIST, sourced('CoinGecko, Binance USD-M futures', '2026-11-21T11:50:00.000Z')),
  [INDEX]: () =>
    Response.json({ data: [{ value: '69', timestamp: '1' }] }, sourced('alternative.me', '2026-11-21T00:00:00.000Z')),
});

function serve(changes: Record<string, () => Response | Error> = {}) {
  const all = { ...answers(), ...changes };
  vi.stubGlobal('fetch', async (path: string) => {
    const answer = all[path]?.() ?? new Response('not found', { status: 404 });
    if (answer instanceof Error) throw answer;
    return answer;
  });
}
const { signal } = new AbortController();

test('returns each part with its age and its source', async () => {
  serve();

  const [global, coins, index] = await Promise.all([fetchGlobal(signal), fetchCoins(signal), fetchFearGreed(signal)]);

  expect(global.value.data.total_market_cap.usd).toBe(3e12);
  expect(global).toMatchObject({
    fetchedAtMs: Date.parse('2026-11-21T12:00:00Z'),
    isStale: false,
    kind: 'live',
    attribution: 'CoinGecko',
  });
  expect(coins.value).toHaveLength(32);
  expect(coins.fetchedAtMs).toBe(Date.parse('2026-11-21T11:50:00Z'));
  expect([index.value, index.attribution]).toEqual([69, 'alternative.me']);
});

test('marks as old what the server marks as old, and trusts a server without a mark', async () => {
  serve({
    [COINS]: () => Response.json(LIST, sourced('CoinGecko', '2026-11-20T00:00:00.000Z', 'true')),
    [INDEX]: () => Response.json({ data: [{ value: '69', timestamp: '1' }] }),
  });

  expect((await fetchCoins(signal)).isStale).toBe(true);
  expect(await fetchFearGreed(signal)).toEqual({
    value: 69,
    fetchedAtMs: null,
    isStale: false,
    kind: null,
    attribution: null,
  });
});

const PARTS = [
  ['Global market fetch failed', GLOBAL, fetchGlobal],
  ['Coin list fetch failed', COINS, fetchCoins],
  ['Data fetch failed', INDEX, fetchFearGreed],
] as const;
test('rejects an index beyond 100', async () => {
  serve({ [INDEX]: () => Response.json({ data: [{ value: '101', timestamp: '1' }] }) });

  await expect(fetchFearGreed(signal)).rejects.toThrow('Data fetch failed');
});

test.each(PARTS)('fails for %s without an answer in time', async (message, _path, fetchPart) => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  const error = await fetchPart(signal).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ message });
  expect(isTooLate(error)).toBe(true);
});
