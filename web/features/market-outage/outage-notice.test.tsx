import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { type ShownFeedState, useFeedState, useMarketReturn } from '../../site/market-feeds.ts';
import { OutageNotice } from './outage-notice.tsx';

const MARKET = 'Market data is unavailable.';
const SERVER = 'We can’t reach Kat.';
const MINUTE_MS = 60_000;

let backend: FakeBackend;
const changes = vi.fn();
const returned = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  changes.mockClear();
  returned.mockClear();
  backend = fakeBackend();
  backend.on('GET /bars', () => json([1]));
});

const market = (state: boolean | 'degraded') =>
  backend.on('GET /readyz', () => json({ status: 'ready', checks: { database: true, market: state } }));
const loseServer = () => backend.on('GET /readyz', () => Promise.reject(new TypeError('Failed to fetch')));
const checks = () => backend.to('/readyz').length;
const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface Feeds {
  candles?: ShownFeedState;
  book?: ShownFeedState;
}

function Page({ candles, book }: Feeds) {
  useFeedState('candles', candles);
  useFeedState('book', book);
  useMarketReturn(returned);
  useQuery({ queryKey: ['bars'], queryFn: async () => (await fetch('/bars')).json() });
  return <OutageNotice onChange={changes} />;
}

function show(feeds: Feeds) {
  const client = new QueryClient();
  const page = (now: Feeds) => (
    <QueryClientProvider client={client}>
      <Page {...now} />
    </QueryClientProvider>
  );
  const { rerender } = render(page(feeds));
  return {
    update: (now: Feeds) => rerender(page(now)),
    user: userEvent.setup({ advanceTimers: vi.advanceTimersByTime }),
  };
}

test('reports a market that is unavailable on arrival once, politely, and its return loads everything', async () => {
  market('degraded');
  show({ candles: 'failing', book: null });

  expect(await screen.findByText(MARKET)).toBeDefined();
  expect(screen.getByRole('status').textContent).toContain('Other pages still work. We keep trying.');
  expect(screen.queryByRole('alert')).toBeNull();
  // Effects run after the text is on the page.
  await vi.waitFor(() => expect(changes).toHaveBeenLastCalledWith('market'));
  const loaded = backend.to('/bars').length;

  market(true);
  await later(MINUTE_MS);

  await vi.waitFor(() => expect(screen.queryByText(MARKET)).toBeNull());
  await vi.waitFor(() => expect(changes).toHaveBeenLastCalledWith(null));
  expect(returned).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(backend.to('/bars').length).toBe(loaded + 1));
});

test('says so when the server is unavailable, and checks immediately after a click on Retry', async () => {
  loseServer();
  const { user } = show({ candles: 'current', book: 'failing' });
  expect(await screen.findByText(SERVER)).toBeDefined();

  market(true);
  await user.click(screen.getByRole('button', { name: 'Retry' }));

  await vi.waitFor(() => expect(screen.queryByText(SERVER)).toBeNull());
  expect(returned).toHaveBeenCalledOnce();
});

test('stays while the part that noticed it leaves the screen, until the server answers', async () => {
  loseServer();
  const { update } = show({ candles: 'failing', book: null });
  await screen.findByText(SERVER);
  expect(checks()).toBe(1);

  update({ candles: null, book: null });
  await later(1000);
  expect(screen.queryByText(SERVER)).not.toBeNull();

  market(true);
  await later(MINUTE_MS);
  await vi.waitFor(() => expect(screen.queryByText(SERVER)).toBeNull());
});

test.each([
  ['a part that fails alone', 'failing', true],
  ['live prices beside a market that the server calls degraded', 'failing', 'degraded'],
] as const)('leaves its own message to %s', async (_, candles, state) => {
  market(state);
  show({ candles, book: state === true ? null : 'current' });

  await vi.waitFor(() => expect(checks()).toBeGreaterThan(0));
  await later(1000);

  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(changes).not.toHaveBeenCalledWith('market');
});

test('loads what failed when live prices return before the candles', async () => {
  market('degraded');
  const { update } = show({ candles: 'failing', book: 'failing' });
  await screen.findByText(MARKET);

  update({ candles: 'failing', book: 'current' });
  expect(screen.queryByText(MARKET)).toBeNull();
  expect(returned).not.toHaveBeenCalled();
  market(true);
  await later(MINUTE_MS);

  await vi.waitFor(() => expect(returned).toHaveBeenCalledOnce());
});

test('notices an outage where no live price is on the screen, but not by a single failed check', async () => {
  loseServer();
  show({ candles: 'current' });
  await later(MINUTE_MS + 500);
  await later(7000);
  expect(checks()).toBe(1);
  expect(screen.queryByText(SERVER)).toBeNull();

  await later(20_000);

  expect(await screen.findByText(SERVER)).toBeDefined();
});

test('checks nothing while prices are live, and ignores an answer that says nothing of the market', async () => {
  const { update } = show({ candles: 'current', book: 'current' });
  await later(5 * MINUTE_MS);
  expect(checks()).toBe(0);

  backend.on('GET /readyz', () => json({ error: 'Not found' }, 404));
  update({ candles: 'current', book: 'failing' });
  await vi.waitFor(() => expect(checks()).toBeGreaterThan(0));
  await later(1000);

  expect(changes).not.toHaveBeenCalledWith('server');
});
