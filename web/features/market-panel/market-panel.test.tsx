import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Coin, coinSchema, type GlobalMetrics } from '#domain/market/reference/global-metrics.ts';
import { type FakeBackend, fakeBackend } from '../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { MarketPanel } from './market-panel.tsx';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const PATHS = { global: '/api/v3/global', coins: '/api/v3/coins/markets', index: '/fng/' } as const;
type Part = keyof typeof PATHS;

interface Origin {
  fetchedAtMs: number;
  isStale: boolean;
  kind: 'live' | 'simulated';
  attribution: string;
}
function originHeaders(change: Partial<Origin>): Record<string, string> {
  const live: Origin = { fetchedAtMs: NOON - 5000, isStale: false, kind: 'live', attribution: 'CoinGecko' };
  const { fetchedAtMs, isStale, kind, attribution } = { ...live, ...change };
  return {
    'x-fetched-at': new Date(fetchedAtMs).toISOString(),
    'x-market-stale': String(isStale),
    'x-market-kind': kind,
    'x-market-attribution': attribution,
  };
}
const coin = (change: Partial<Coin> = {}): Coin =>
  coinSchema.parse({
    id: 'bitcoin',
    symbol: 'btc',
    name: 'Bitcoin',
    current_price: 100_435.4,
    price_change_percentage_24h: -0.64,
    market_cap: 2.004e12,
    total_volume: 7.3529e8,
    ...change,
  });
const ETHER = coin({ id: 'ethereum', symbol: 'eth', name: 'Ethereum', current_price: 3634.2 });
const GLOBAL: GlobalMetrics = {
  data: {
    total_market_cap: { usd: 3.282e12 },
    total_volume: { usd: 3.1535e11 },
    market_cap_percentage: { btc: 61.07 },
  },
};
const INDEX = { data: [{ value: '69', timestamp: '1' }] };

let backend: FakeBackend;
const globalAnswer = (change: Partial<Origin> = {}) => Response.json(GLOBAL, { headers: originHeaders(change) });
const answerGlobal = (change: Partial<Origin> = {}) => backend.on(`GET ${PATHS.global}`, () => globalAnswer(change));
const answerCoins = (change: Partial<Origin> = {}, coins: Coin[] = [coin(), ETHER]) =>
  backend.on(`GET ${PATHS.coins}`, () => Response.json(coins, { headers: originHeaders(change) }));
const answerIndex = (change: Partial<Origin> = {}) =>
  backend.on(`GET ${PATHS.index}`, () =>
    Response.json(INDEX, { headers: originHeaders({ attribution: 'alternative.me', ...change }) }),
  );
const fail = (...parts: Part[]) => {
  for (const part of parts) backend.on(`GET ${PATHS[part]}`, () => new Response('', { status: 500 }));
};
const requestCounts = () => Object.values(PATHS).map((path) => backend.to(path).length);
const LIVE = {
  'Market cap': '$3.28T',
  '24h volume': '$315.35B',
  'BTC dominance': '61.1%',
  'Fear & greed': '69Greed',
  BTC: '$100,435',
  ETH: '$3,634',
};

beforeEach(() => {
  setProfileZone('UTC');
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  backend = fakeBackend();
  answerGlobal();
  answerCoins();
  answerIndex();
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MarketPanel />
    </QueryClientProvider>,
  );
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}
/** By name: '$3.28T'. */
function figures(): Record<string, string> {
  const names = screen.getAllByRole('term');
  return Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent ?? '']));
}
const cells = (row: HTMLElement) => [...row.children].map(({ textContent }) => textContent);

test('shows the market in six figures, its coins in a table, and whose figures they are', async () => {
  show();

  await screen.findByText('$3.28T');
  expect(figures()).toEqual(LIVE);
  const [, row] = within(screen.getByRole('table')).getAllByRole('row');
  expect(cells(row ?? expect.fail('no row'))).toEqual(['1', 'BTC Bitcoin', '100,435', '▼−0.64%', '2.00T', '735.29M']);
  expect(screen.getByText(/Source: CoinGecko, alternative\.me\./).parentElement?.textContent).toContain(
    'As of 11:59:55',
  );
  expect(screen.queryByText('Fallback figures')).toBeNull();
  expect(screen.queryByText('simulated')).toBeNull();
});

test('shows the first twenty of the fifty coins that it requests', async () => {
  answerCoins(
    {},
    Array.from({ length: 50 }, (_, index) => coin({ id: `c${index}` })),
  );
  show();

  const rows = within(await screen.findByRole('table')).getAllByRole('row');
  expect(rows).toHaveLength(1 + 20);
  expect(new URLSearchParams(backend.to(PATHS.coins)[0]?.search).get('per_page')).toBe('50');
});

test('shows a dash for what a coin lacks, and four decimals of small prices', async () => {
  const bare = { id: 'x', symbol: 'X', name: 'X' };
  const nothing = { price_change_percentage_24h: null, market_cap: null, total_volume: null };
  const coins = [
    coin({ ...bare, ...nothing, current_price: null }),
    coin({ id: 'y', current_price: 0.18994, price_change_percentage_24h: 3.1 }),
  ];
  answerCoins({}, coins);
  show();

  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(first && cells(first).slice(2)).toEqual(['–', '–', '–', '–']);
  expect(second && cells(second).slice(2, 4)).toEqual(['0.1899', '▲+3.10%']);
  expect(figures().BTC).toBe('–');
});

test('shows the agreed figures, marked as not live, until Retry loads the market', async () => {
  fail('global', 'coins', 'index');
  const user = show();

  expect((await screen.findByRole('alert')).textContent).toBe('Data fetch failed. Fallback figures, not live.');
  expect(screen.getByText('Fallback figures')).toBeDefined();
  expect(figures()).toEqual({
    'Market cap': '$3.43Tfallback',
    '24h volume': '$53.80Bfallback',
    'BTC dominance': '62.5%fallback',
    'Fear & greed': '68Greed, fallback',
    BTC: '$107,632fallback',
    ETH: '$2,441fallback',
  });
  expect(screen.queryByRole('table')).toBeNull();

  const answer = Promise.withResolvers<Response>();
  backend.on(`GET ${PATHS.global}`, () => answer.promise);
  answerCoins();
  answerIndex();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  // No flicker: the fallback stays until there is something better.
  expect(figures()['Market cap']).toBe('$3.43Tfallback');
  answer.resolve(globalAnswer());

  expect(await screen.findByText('$3.28T')).toBeDefined();
  await waitFor(() => expect(figures()).toEqual(LIVE));
  expect(screen.queryByText(/fallback/i)).toBeNull();
});

test('shows the agreed global figures and live data for the rest when only the global figures fail', async () => {
  fail('global');
  const user = show();

  expect((await screen.findByRole('alert')).textContent).toBe(
    'Global market fetch failed. Market cap, volume and dominance are fallback figures, not live.',
  );
  expect(screen.getByText('Partly fallback')).toBeDefined();
  expect(figures()).toEqual({
    ...LIVE,
    'Market cap': '$3.43Tfallback',
    '24h volume': '$53.80Bfallback',
    'BTC dominance': '62.5%fallback',
  });
  expect(screen.getByRole('table')).toBeDefined();
  expect(screen.getByText(/Others: CoinGecko, alternative\.me\./)).toBeDefined();

  answerGlobal();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('$3.28T')).toBeDefined();
  expect(backend.to(PATHS.coins)).toHaveLength(1);
  expect(screen.queryByText('Partly fallback')).toBeNull();
});

test('shows agreed prices and live data for the rest when only the list of coins fails', async () => {
  fail('coins');
  show();

  expect((await screen.findByRole('alert')).textContent).toBe(
    'Coin list fetch failed. BTC and ETH are fallback figures, not live.',
  );
  expect(figures()).toEqual({ ...LIVE, BTC: '$107,632fallback', ETH: '$2,441fallback' });
  expect(screen.getByText('The list of coins is unavailable right now.')).toBeDefined();
});

test('marks an index that is its default, and blames nothing else', async () => {
  fail('index');
  show();

  await screen.findByText('$3.28T');
  expect(figures()).toEqual({ ...LIVE, 'Fear & greed': '50Neutral, default' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('shows an old index with its age beside its label, and marks nothing else as old', async () => {
  answerIndex({ isStale: true, fetchedAtMs: NOON - 3 * 3_600_000 });
  show();

  await screen.findByText('$3.28T');
  expect(figures()['Fear & greed']).toBe('69Greed, 3h ago');
  expect(screen.queryByText(/Shown as of/)).toBeNull();
});

test('marks a generated market beside the heading', async () => {
  answerGlobal({ kind: 'simulated' });
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
});

test('loads figures every 30 seconds', async () => {
  show();
  await screen.findByText('$3.28T');

  // The clock runs while the page waits for its answers.
  await act(() => vi.advanceTimersByTimeAsync(NOON + 29_000 - Date.now()));
  expect(backend.to(PATHS.global)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(requestCounts()).toEqual([2, 2, 2]);
});

test('keeps old figures when newer ones fail, with the age that they had at the server', async () => {
  answerCoins({ fetchedAtMs: NOON - 28 * 60_000 });
  show();
  await screen.findByText('$3.28T');

  fail('coins');
  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(figures()).toEqual(LIVE);
  expect(await screen.findByText(/Coin list fetch failed\./)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toBe('Shown as of 29m ago.');
  expect(screen.queryByText(/fallback/i)).toBeNull();
});

test('reports once that all newer ones fail', async () => {
  show();
  await screen.findByText('$3.28T');

  fail('global', 'coins');
  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(await screen.findByText(/^Data fetch failed\./)).toBeDefined();
  expect(figures()).toEqual(LIVE);
});

test('shows the age of figures whose sources do not answer our server', async () => {
  answerGlobal({ isStale: true, fetchedAtMs: NOON - 2 * 3_600_000 });
  show();

  expect(await screen.findByText(/The sources haven’t responded\./)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toBe('Shown as of 2h ago.');
});

test('draws no trend from less than a day of stored prices', async () => {
  backend.on('GET /api/v3/coins/sparklines', () =>
    Response.json({ sinceMs: NOON - 11 * 60_000, prices: { BTC: [100_000, 100_435.4] } }),
  );
  show();

  await screen.findByText('$3.28T');
  await waitFor(() => expect(backend.to('/api/v3/coins/sparklines')).toHaveLength(1));
  expect(screen.getAllByRole('columnheader')).toHaveLength(6);
  expect(screen.queryByRole('img', { name: /minute/ })).toBeNull();
});

test('sorts the coins by a column head, and draws the last seven days of those with a history', async () => {
  backend.on('GET /api/v3/coins/sparklines', () =>
    Response.json({ sinceMs: NOON - 7 * 86_400_000, prices: { ETH: [3500, 3400, 3634.2] } }),
  );
  answerCoins({}, [coin(), ETHER, coin({ id: 'solana', symbol: 'sol', name: 'Solana', current_price: 180 })]);
  const user = show();
  const coins = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
  expect(await screen.findByRole('img', { name: '7 days: +3.83%, from $3,500 to $3,634' })).toBeDefined();
  expect(screen.getAllByRole('img', { name: /^7 days/ })).toHaveLength(1);
  expect(coins()).toEqual(['BTC Bitcoin', 'ETH Ethereum', 'SOL Solana']);
  const head = screen.getByRole('columnheader', { name: /^Price/ });
  expect(head.getAttribute('aria-sort')).toBeNull();

  act(() => within(head).getByRole('button').focus());
  await user.keyboard('{Enter}');

  expect(coins()).toEqual(['SOL Solana', 'ETH Ethereum', 'BTC Bitcoin']);
  expect(head.getAttribute('aria-sort')).toBe('ascending');
  await user.keyboard('{Enter}');
  expect(coins()).toEqual(['BTC Bitcoin', 'ETH Ethereum', 'SOL Solana']);
  expect(head.textContent).toBe('Price ▼');
});
