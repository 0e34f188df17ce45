import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../platform/call-error.ts';
import { toast } from '../../ui/toast.ts';
import { BitcoinStats } from './bitcoin-stats.tsx';
import { type BitcoinSnapshot, fetchBitcoin } from './bitcoin-stats-api.ts';

vi.mock('./bitcoin-stats-api.ts', async (original) => ({
  ...(await original<typeof import('./bitcoin-stats-api.ts')>()),
  fetchBitcoin: vi.fn(),
}));
const asked = vi.mocked(fetchBitcoin);

const NOON = Date.parse('2026-11-22T12:00:00Z');
const DASHES = { Price: '–', '24h change': '–', '24h volume': '–', 'Market cap': '–' };
const snapshot = (change: Partial<BitcoinSnapshot> = {}): BitcoinSnapshot => ({
  price: 100_531.9,
  change24h: -973.4,
  percent24h: -0.96,
  volume24h: 9.9163e10,
  fetchedAtMs: NOON - 60_000,
  kind: 'live',
  ...change,
});
let told: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  told = vi.spyOn(toast, 'error').mockReturnValue('id');
  asked.mockReset().mockResolvedValue(snapshot());
});
afterEach(() => {
  vi.useRealTimers();
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <BitcoinStats />
    </QueryClientProvider>,
  );
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}
function figures(): Record<string, string> {
  const names = screen.getAllByRole('term');
  return Object.fromEntries(names.map((name) => [name.textContent, name.nextElementSibling?.textContent ?? '']));
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('price, change, volume, and the market capitalisation of the assumed supply', async () => {
  show();

  await screen.findByText('$100,532');
  expect(figures()).toEqual({
    Price: '$100,532',
    '24h change': '▼−0.96 %−$973',
    '24h volume': '$99.16B',
    'Market cap': '$2.00T',
  });
  expect(screen.getByText(/^US dollars\./).textContent).toContain('price × 19,922,243 BTC. Updated 1m ago.');
  expect(screen.queryByText('simulated')).toBeNull();
});

test.each([
  [0.98765, '$0.9877', '$19.68M'],
  [42.345, '$42.35', '$843.61M'],
  [99.994, '$99.99', '$1.99B'],
  [12_345.6, '$12,346', '$245.95B'],
])('a price of %d', async (price, text, cap) => {
  asked.mockResolvedValue(snapshot({ price }));
  show();

  await screen.findByText(text);
  expect(figures()['Market cap']).toBe(cap);
});

test('what the source does not know is a dash', async () => {
  asked.mockResolvedValue(snapshot({ percent24h: null, change24h: null, volume24h: null }));
  show();

  await screen.findByText('$100,532');
  expect(figures()).toMatchObject({ '24h change': '–', '24h volume': '–', 'Market cap': '$2.00T' });
});

test('a rise carries its sign, a standstill none', async () => {
  asked.mockResolvedValue(snapshot({ percent24h: 3.2, change24h: 3100 }));
  show();
  await screen.findByText('$100,532');
  expect(figures()['24h change']).toBe('▲+3.20 %+$3,100');

  asked.mockResolvedValue(snapshot({ percent24h: 0, change24h: 0 }));
  await pass(240_000);
  await waitFor(() => expect(figures()['24h change']).toBe('0.00 %'));
});

test('figures of the sandbox say so', async () => {
  asked.mockResolvedValue(snapshot({ kind: 'simulated' }));
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
});

test.each(['No BTC snapshot', 'Failed to load BTC stats', 'permission denied for table price_snapshots'])(
  '%s: told in a toast, dashes in the panel, until Retry brings the figures',
  async (message) => {
    asked.mockRejectedValue(new CallError('store', message, 500));
    const user = show();

    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(figures()).toEqual(DASHES);
    expect(told).toHaveBeenCalledExactlyOnceWith(message);

    asked.mockResolvedValue(snapshot());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText('$100,532');
    expect(screen.queryByRole('alert')).toBeNull();
    expect(told).toHaveBeenCalledOnce();
  },
);

test('the figures are read again every 240 seconds; old ones stay, with their age, when newer fail', async () => {
  show();
  await screen.findByText('$100,532');
  await pass(230_000);
  expect(asked).toHaveBeenCalledOnce();
  asked.mockRejectedValue(new CallError('network', 'Failed to load BTC stats', 0));

  await pass(11_000);

  expect(asked).toHaveBeenCalledTimes(2);
  expect(figures().Price).toBe('$100,532');
  expect(screen.getByRole('status').textContent).toContain('Failed to load BTC stats. Shown as of 5m ago.');
  expect(document.querySelector('[data-stale]')?.className).toContain('old-figures');
  expect(told).toHaveBeenCalledOnce();
});

test('a row that nobody has written anew for hours is old, although it came just now', async () => {
  asked.mockResolvedValue(snapshot({ fetchedAtMs: NOON - 5 * 3_600_000 }));
  show();

  expect((await screen.findByRole('status')).textContent).toContain(
    'The source of prices has not answered. Shown as of 5h ago.',
  );
});
