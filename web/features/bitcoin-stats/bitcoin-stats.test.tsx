import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { BitcoinStats } from './bitcoin-stats.tsx';

const PATH = '/rest/v1/price_snapshots';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const DASHES = { Price: '–', '24h change': '–', '24h volume': '–', 'Market cap': '–' };
const ROW = {
  price: 100_531.9,
  change_24h: -973.4,
  pct_24h: -0.96,
  volume_24h: 9.9163e10,
  fetched_at: new Date(NOON - 60_000).toISOString(),
  market_kind: 'live',
};
let backend: FakeBackend;
let shown: ReturnType<typeof vi.spyOn>;

/** The store has one row. */
const answer = (change: { [column in keyof typeof ROW]?: unknown } = {}) =>
  backend.on(`GET ${PATH}`, () => json([{ ...ROW, ...change }]));

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  shown = vi.spyOn(toast, 'error').mockReturnValue('id');
  backend = fakeBackend();
  answer();
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

test('shows price, change, volume, and the market capitalisation of the assumed supply', async () => {
  show();

  await screen.findByText('$100,532');
  expect(figures()).toEqual({
    Price: '$100,532',
    '24h change': '▼−0.96%−$973',
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
])('formats a price of %d', async (price, text, cap) => {
  answer({ price });
  show();

  await screen.findByText(text);
  expect(figures()['Market cap']).toBe(cap);
});

test('shows a dash for what the source does not know', async () => {
  answer({ pct_24h: null, change_24h: null, volume_24h: null });
  show();

  await screen.findByText('$100,532');
  expect(figures()).toMatchObject({ '24h change': '–', '24h volume': '–', 'Market cap': '$2.00T' });
});

test('shows a rise with its sign, and no change without one', async () => {
  answer({ pct_24h: 3.2, change_24h: 3100 });
  show();
  await screen.findByText('$100,532');
  expect(figures()['24h change']).toBe('▲+3.20%+$3,100');

  answer({ pct_24h: 0, change_24h: 0 });
  await pass(240_000);
  await waitFor(() => expect(figures()['24h change']).toBe('0.00%'));
});

test('marks figures of the sandbox', async () => {
  answer({ market_kind: 'simulated' });
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
});

test.each([
  ['No BTC snapshot', () => json([])],
  ['Failed to load BTC stats', () => Promise.reject(new TypeError('Failed to fetch'))],
  [
    'permission denied for table price_snapshots',
    () => json({ code: '42501', message: 'permission denied for table price_snapshots' }, 403),
  ],
])('reports %s in a toast, with dashes in the panel, until Retry loads the figures', async (message, respond) => {
  backend.on(`GET ${PATH}`, respond);
  const user = show();

  expect((await screen.findByRole('alert')).textContent).toBe(message);
  expect(figures()).toEqual(DASHES);
  expect(shown).toHaveBeenCalledExactlyOnceWith(message);

  answer();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await screen.findByText('$100,532');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(shown).toHaveBeenCalledOnce();
});

test('loads the figures every 240 seconds, and keeps old ones, with their age, when newer fail', async () => {
  show();
  await screen.findByText('$100,532');
  await pass(230_000);
  expect(backend.to(PATH)).toHaveLength(1);
  backend.on(`GET ${PATH}`, () => Promise.reject(new TypeError('Failed to fetch')));

  await pass(11_000);

  await waitFor(() => expect(shown).toHaveBeenCalledOnce());
  expect(backend.to(PATH)).toHaveLength(2);
  expect(figures().Price).toBe('$100,532');
  expect(screen.getByRole('status').textContent).toContain('Failed to load BTC stats. Shown as of 5m ago.');
  expect(document.querySelector('[data-stale]')?.className).toContain('old-figures');
  expect(shown).toHaveBeenCalledOnce();
});

test('counts a row that was not rewritten for hours as old, although it has just arrived', async () => {
  answer({ fetched_at: new Date(NOON - 5 * 3_600_000).toISOString() });
  show();

  expect((await screen.findByRole('status')).textContent).toContain(
    'The price source hasn’t responded. Shown as of 5h ago.',
  );
});
