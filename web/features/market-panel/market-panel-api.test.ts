import { afterEach, expect, test, vi } from 'vitest';
import { fetchMarket } from './market-panel-api.ts';

afterEach(() => vi.unstubAllGlobals());

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
const ask = () => fetchMarket(new AbortController().signal);

test('three answers become one picture, with the older age and every source once', async () => {
  serve();

  const { snapshot, ...rest } = await ask();

  expect(snapshot).toMatchObject({
    totalMarketCap: 3e12,
    totalVolume24h: 1e11,
    btcDominance: 61.5,
    fearGreedIndex: 69,
    btcPrice: 100_000,
    ethPrice: 3600,
  });
  expect(snapshot.topCoins).toHaveLength(20);
  expect(snapshot.topCoins[0]).toEqual({ ...coin('bitcoin', 'BTC', 100_000) });
  expect(rest).toEqual({
    isFearGreedDefault: false,
    fetchedAtMs: Date.parse('2026-11-21T11:50:00Z'),
    isStale: false,
    kind: 'live',
    attribution: 'CoinGecko, Binance USD-M futures, alternative.me',
  });
});

test.each([
  ['refused', () => new Response('', { status: 503 })],
  ['out of reach', () => new TypeError('Failed to fetch')],
  ['of another shape', () => Response.json({ data: [] })],
  ['not a number from 0 to 100', () => Response.json({ data: [{ value: '101', timestamp: '1' }] })],
])('fear and greed is 50 when its own answer is %s, and the rest stands', async (_what, answer) => {
  serve({ [INDEX]: answer });

  const { snapshot, isFearGreedDefault } = await ask();

  expect([snapshot.fearGreedIndex, isFearGreedDefault, snapshot.btcPrice]).toEqual([50, true, 100_000]);
});

const REFUSED = () => new Response('', { status: 500 });
const GONE = () => new TypeError('Failed to fetch');
const HTML = () => new Response('<html></html>');
const STRANGE = () => Response.json({ status: { error_code: 429 } });
test.each([
  ['the global figures refused', { [GLOBAL]: REFUSED }, 'Global market fetch failed'],
  ['the coin list refused', { [COINS]: REFUSED }, 'Coin list fetch failed'],
  ['the global figures out of reach', { [GLOBAL]: GONE }, 'Data fetch failed'],
  ['the coin list as HTML', { [COINS]: HTML }, 'Data fetch failed'],
  ['global figures of another shape', { [GLOBAL]: STRANGE }, 'Data fetch failed'],
  ['a coin list of another shape', { [COINS]: STRANGE }, 'Data fetch failed'],
])('%s', async (_what, changes, message) => {
  serve(changes);

  await expect(ask()).rejects.toThrow(message);
});

test('an old list makes the picture old, and a list without Bitcoin has no price of it', async () => {
  serve({
    [COINS]: () => Response.json([coin('x', 'btc')], sourced('CoinGecko', '2026-11-20T00:00:00.000Z', 'true')),
  });

  const { snapshot, isStale } = await ask();

  expect([snapshot.btcPrice, snapshot.ethPrice, isStale]).toEqual([null, null, true]);
});
