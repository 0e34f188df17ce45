import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../platform/call-error.ts';
import { MarketPanel } from './market-panel.tsx';
import { fetchMarket, type KnownMarket } from './market-panel-api.ts';
import type { MarketSnapshot, TopCoin } from './market-snapshot.ts';

vi.mock('./market-panel-api.ts', () => ({ fetchMarket: vi.fn() }));
const fetching = vi.mocked(fetchMarket);

const NOON = Date.parse('2026-11-21T12:00:00Z');
const coin = (change: Partial<TopCoin> = {}): TopCoin => ({
  id: 'bitcoin',
  symbol: 'BTC',
  name: 'Bitcoin',
  current_price: 100_435.4,
  price_change_percentage_24h: -0.64,
  market_cap: 2.004e12,
  total_volume: 7.3529e8,
  ...change,
});
const snapshot = (change: Partial<MarketSnapshot> = {}): MarketSnapshot => ({
  totalMarketCap: 3.282e12,
  totalVolume24h: 3.1535e11,
  btcDominance: 61.07,
  fearGreedIndex: 69,
  btcPrice: 100_435.4,
  ethPrice: 3634.2,
  topCoins: [coin()],
  ...change,
});
const known = (change: Partial<KnownMarket> = {}): KnownMarket => ({
  snapshot: snapshot(),
  isFearGreedDefault: false,
  fetchedAtMs: NOON - 5000,
  isStale: false,
  kind: 'live',
  attribution: 'CoinGecko, alternative.me',
  ...change,
});

beforeEach(() => {
  vi.stubEnv('TZ', 'UTC');
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  fetching.mockReset().mockResolvedValue(known());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
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

test('the market in six figures, its coins in a table, and whose figures they are', async () => {
  show();

  await screen.findByText('$3.28T');
  expect(figures()).toEqual({
    'Market cap': '$3.28T',
    '24h volume': '$315.35B',
    'BTC dominance': '61.1 %',
    'Fear & greed': '69Greed',
    BTC: '$100,435',
    ETH: '$3,634',
  });
  const [, row] = within(screen.getByRole('table')).getAllByRole('row');
  expect(cells(row ?? expect.fail('no row'))).toEqual(['1', 'BTC Bitcoin', '100,435', '▼−0.64 %', '2.00T', '735.29M']);
  expect(screen.getByText(/Source: CoinGecko, alternative\.me\./).textContent).toContain('Figures of 11:59:55');
  expect(screen.queryByText('Fallback figures')).toBeNull();
  expect(screen.queryByText('simulated')).toBeNull();
});

test('what a coin lacks is a dash, and small prices have four decimals', async () => {
  const bare = { id: 'x', symbol: 'X', name: 'X' };
  const nothing = { price_change_percentage_24h: null, market_cap: null, total_volume: null };
  const coins = [
    coin({ ...bare, ...nothing, current_price: null }),
    coin({ id: 'y', current_price: 0.18994, price_change_percentage_24h: 3.1 }),
  ];
  fetching.mockResolvedValue(known({ snapshot: snapshot({ btcPrice: null, topCoins: coins }) }));
  show();

  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  expect(first && cells(first).slice(2)).toEqual(['–', '–', '–', '–']);
  expect(second && cells(second).slice(2, 4)).toEqual(['0.1899', '▲+3.10 %']);
  expect(figures().BTC).toBe('–');
});

test.each(['Global market fetch failed', 'Coin list fetch failed', 'Data fetch failed'])(
  '%s: the agreed figures, marked as not live, until Retry brings the market',
  async (message) => {
    fetching.mockRejectedValue(new CallError('market', message, 500));
    const user = show();

    expect((await screen.findByRole('alert')).textContent).toBe(`${message}. Fallback figures, not live.`);
    expect(screen.getByText('Fallback figures')).toBeDefined();
    expect(figures()).toEqual({
      'Market cap': '$3.43T',
      '24h volume': '$53.80B',
      'BTC dominance': '62.5 %',
      'Fear & greed': '68Greed',
      BTC: '$107,632',
      ETH: '$2,441',
    });
    expect(screen.queryByRole('table')).toBeNull();

    const answer = Promise.withResolvers<KnownMarket>();
    fetching.mockReturnValue(answer.promise);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    // No flicker: the fallback stands until there is something better.
    expect(screen.getByText('Fallback figures')).toBeDefined();
    answer.resolve(known());

    expect(await screen.findByText('$3.28T')).toBeDefined();
    expect(screen.queryByText('Fallback figures')).toBeNull();
  },
);

test('an index that is its default says so', async () => {
  fetching.mockResolvedValue(known({ snapshot: snapshot({ fearGreedIndex: 50 }), isFearGreedDefault: true }));
  show();

  await screen.findByText('$3.28T');
  expect(figures()['Fear & greed']).toBe('50Neutral, default');
});

test('a made-up market is told beside the heading', async () => {
  fetching.mockResolvedValue(known({ kind: 'simulated' }));
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
});

test('figures are read again every 30 seconds', async () => {
  show();
  await screen.findByText('$3.28T');

  await act(() => vi.advanceTimersByTimeAsync(29_000));
  expect(fetching).toHaveBeenCalledTimes(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(fetching).toHaveBeenCalledTimes(2);
});

test('figures that were there stay when newer ones fail, with their age and the reason', async () => {
  show();
  await screen.findByText('$3.28T');

  fetching.mockRejectedValue(new CallError('market', 'Coin list fetch failed', 500));
  await act(() => vi.advanceTimersByTimeAsync(60_000));

  expect(screen.getByText('$3.28T')).toBeDefined();
  expect(screen.getByText(/Coin list fetch failed/)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toMatch(/Shown as of (\d+s|1m) ago\./);
  expect(screen.queryByText('Fallback figures')).toBeNull();
});

test('sources that are silent behind our server are told with the age of their figures', async () => {
  fetching.mockResolvedValue(known({ isStale: true, fetchedAtMs: NOON - 2 * 3_600_000 }));
  show();

  expect(await screen.findByText(/The sources have not answered\./)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toBe('Shown as of 2h ago.');
});
