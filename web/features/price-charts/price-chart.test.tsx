import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { PriceChart } from './price-chart.tsx';

const WEEK_S = 604_800;
/** Ends in the week of 19 Nov 2026. */
const LAST_WEEK_S = Date.UTC(2026, 10, 19) / 1000;

interface Origin {
  fetchedAtMs: number;
  isStale: boolean;
  attribution: string;
  kind: 'live' | 'simulated';
}

/** Closes of 1,000, 1,001 and so on, in the exchange's own rows. */
function bars(count: number, change: Partial<Origin> = {}): Response {
  const live: Origin = { fetchedAtMs: Date.now(), isStale: false, attribution: 'Kraken', kind: 'live' };
  const { fetchedAtMs, isStale, attribution, kind } = { ...live, ...change };
  const rows = Array.from({ length: count }, (_, i) => {
    const close = String(1000 + i);
    return [LAST_WEEK_S - (count - 1 - i) * WEEK_S, close, close, close, close, close, '1', 1];
  });
  const headers = {
    'x-fetched-at': new Date(fetchedAtMs).toISOString(),
    'x-market-stale': String(isStale),
    'x-market-attribution': attribution,
    'x-market-kind': kind,
  };
  return Response.json({ error: [], result: { XXBTZUSD: rows, last: LAST_WEEK_S } }, { headers });
}

const PATH = '/0/public/OHLC';
let backend: FakeBackend;
const answer = (count: number, change?: Partial<Origin>) => backend.on(`GET ${PATH}`, () => bars(count, change));

beforeEach(() => {
  // jsdom draws nothing and logs that on every call.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  backend = fakeBackend();
  answer(720);
});

const symbol = (label: string): MarketSymbol => symbolOfLabel(label) ?? expect.fail(label);
function show(label = 'BTC') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const tree = (of: string) => (
    <QueryClientProvider client={client}>
      <PriceChart symbol={symbol(of)} />
    </QueryClientProvider>
  );
  const { rerender } = render(tree(label));
  return { choose: (of: string) => rerender(tree(of)), client };
}
const chart = () => screen.findByRole('img');
/** Pair and interval of each request. */
const queries = () => backend.to(PATH).map(({ search }) => [...new URLSearchParams(search).values()]);

test('draws 260 weeks of Bitcoin with their source, 600 in the wide view, and back', async () => {
  show();

  expect((await chart()).dataset.pointCount).toBe('260');
  expect(screen.getByRole('heading', { name: 'BTC-USD Weekly' })).toBeDefined();
  expect(screen.getByText(/weeks, closes in US dollars\. Source: Kraken\./, { selector: 'p > span' })).toBeDefined();
  expect(queries()).toEqual([['XBTUSD', '10080']]);

  const wide = screen.getByRole('button', { name: 'Wide view' });
  await userEvent.click(wide);
  expect((await chart()).dataset.pointCount).toBe('600');
  expect(wide.getAttribute('aria-pressed')).toBe('true');
  await userEvent.click(wide);
  expect((await chart()).dataset.pointCount).toBe('260');
  expect(queries()).toHaveLength(1);
});

test('draws months by 1M, without a wider view where they all fit', async () => {
  backend.on(`GET ${PATH}`, ({ search }) => bars(search.includes('interval=43200') ? 166 : 720));
  show();
  await chart();

  await userEvent.click(screen.getByRole('button', { name: '1M, monthly' }));

  expect(await screen.findByRole('heading', { name: 'BTC-USD Monthly' })).toBeDefined();
  expect((await chart()).dataset.pointCount).toBe('166');
  expect((await chart()).getAttribute('aria-label')).toContain('November 2026 (in progress)');
  expect(queries().at(-1)).toEqual(['XBTUSD', '43200']);
  const wide = screen.getByRole<HTMLButtonElement>('button', { name: 'Wide view' });
  expect(wide.disabled).toBe(true);
  expect(wide.title).toBe('All 166 months are shown');
});

test.each([
  ['ETH', 'ETHUSD', 'ETH-USD', '1,719.0'],
  ['SOL', 'SOLUSD', 'SOL-USD', '1,719.00'],
  ['DOGE', 'XDGUSD', 'DOGE-USD', '1,719.0000'],
])('shows %s with its pair and decimals', async (label, pair, shown, figure) => {
  show(label);

  expect((await chart()).getAttribute('aria-label')).toContain(
    `${shown}, weekly closes: ${figure}, week of 19 Nov 2026`,
  );
  expect(queries()).toEqual([[pair, '10080']]);
});

test('shows Bitcoin for a symbol without a pair and says so', async () => {
  const { choose } = show('Gold');

  await chart();
  expect(screen.getByText(/There is no weekly chart for Gold, so this shows Bitcoin\./)).toBeDefined();
  expect(queries()).toEqual([['XBTUSD', '10080']]);
  choose('BTC');
  expect(screen.queryByText(/so this shows Bitcoin/)).toBeNull();
  expect(queries()).toHaveLength(1);
});

test('shows no monthly chart for a symbol without a pair', async () => {
  show('MSFT');
  await chart();

  await userEvent.click(screen.getByRole('button', { name: '1M, monthly' }));

  expect(await screen.findByText(/There is no monthly chart for MSFT, so this shows Bitcoin\./)).toBeDefined();
});

test('says what months are made of for which the exchange has no days, but not for weeks', async () => {
  // 720 days back from then is December 3, 2024.
  answer(166, { fetchedAtMs: Date.UTC(2026, 10, 22, 9) });
  show();
  await chart();
  expect(screen.queryByText(/are built from/)).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: '1M, monthly' }));

  expect(
    await screen.findByText(/Months before January 2025 are built from the weeks that start in them\./),
  ).toBeDefined();
});

test('says nothing of weeks for months of which every one has its days', async () => {
  answer(20, { fetchedAtMs: Date.UTC(2026, 10, 22, 9) });
  show();
  await userEvent.click(screen.getByRole('button', { name: '1M, monthly' }));

  await screen.findByText(/months, closes in US dollars/, { selector: 'p > span' });
  expect(screen.queryByText(/are built from/)).toBeNull();
});

test('marks a generated market beside the heading', async () => {
  answer(720, { kind: 'simulated', attribution: 'Sandbox market' });
  show();

  expect(await screen.findByText('simulated')).toBeDefined();
  expect(screen.getByText(/Source: Sandbox market\./, { selector: 'p > span' })).toBeDefined();
});

test.each([
  ['1W', 'BTC-USD', 'BTC'],
  ['1M', 'ETH-USD', 'ETH'],
])('names pair, interval and reason of a failure of %s, and Retry loads the chart', async (length, pair, label) => {
  backend.on(`GET ${PATH}`, () => json({ error: ['EService:Unavailable'], result: {} }));
  show(label);
  if (length === '1M') await userEvent.click(screen.getByRole('button', { name: '1M, monthly' }));

  expect(await screen.findByText(`Failed to load ${pair} (${length}): EService:Unavailable`)).toBeDefined();
  expect(screen.getByText('No data')).toBeDefined();

  answer(720);
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect((await chart()).dataset.pointCount).toBe('260');
  expect(screen.queryByText('No data')).toBeNull();
});

test('says that there are no bars', async () => {
  answer(0);
  show();

  expect(await screen.findByText('No data')).toBeDefined();
});

test('keeps old bars when newer ones fail, with the age that they had at the server and the reason', async () => {
  answer(720, { fetchedAtMs: Date.now() - 29 * 60_000 });
  const { client } = show();
  await chart();

  backend.on(`GET ${PATH}`, () => Promise.reject(new TypeError('Failed to fetch')));
  await client.refetchQueries();

  expect(await screen.findByText(/Failed to load BTC-USD \(1W\): we couldn’t reach the server\./)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toBe('Shown as of 29m ago.');
  expect((await chart()).dataset.pointCount).toBe('260');
});

test('shows the age of bars whose exchange does not answer our server', async () => {
  answer(720, { isStale: true, fetchedAtMs: Date.now() - 7_200_000 });
  show();

  expect(await screen.findByText(/Kraken hasn’t responded\./)).toBeDefined();
  expect(screen.getByText(/Shown as of/).textContent).toBe('Shown as of 2h ago.');
});
