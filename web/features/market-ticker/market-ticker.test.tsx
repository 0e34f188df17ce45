import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { CONFIG, type FakeBackend, fakeBackend, json } from '../../platform/testing/fake-backend.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { MarketTicker } from './market-ticker.tsx';
import { FALLBACK_ITEMS } from './ticker-labels.ts';
import { LOOP_ITEMS } from './ticker-loop.tsx';

/** More symbols than a loop shows. */
const COUNT = LOOP_ITEMS + 6;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const PATH = '/rest/v1/price_snapshots';
const rows = (count: number, fetchedAtMs = NOON - 60_000) =>
  Array.from({ length: count }, (_, i) => ({
    symbol: `C${i}`,
    price: 1000 - i,
    change_24h: 1,
    pct_24h: i % 2 === 0 ? 1.5 : -1.5,
    volume_24h: 2e9,
    fetched_at: new Date(fetchedAtMs).toISOString(),
  }));
let backend: FakeBackend;
const answer = (count: number, fetchedAtMs?: number) => backend.on(`GET ${PATH}`, () => json(rows(count, fetchedAtMs)));
const fail = () => backend.on(`GET ${PATH}`, () => Promise.reject(new TypeError('Failed to fetch')));
const FAILED = 'Failed to load market data — fallback active.';

beforeEach(() => {
  setProfileZone('UTC');
  vi.useFakeTimers({ now: NOON, shouldAdvanceTime: true });
  backend = fakeBackend();
  answer(COUNT);
});

function show() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MarketTicker />
    </QueryClientProvider>,
  );
  return userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
}
const section = () => screen.getByRole('region', { name: 'Market Ticker' });
const listed = () => within(section()).getAllByRole('listitem');
const track = () => document.querySelector<HTMLElement>('[data-loop]') ?? expect.fail('nothing moves');
const moving = () => [...track().querySelectorAll<HTMLElement>('[data-symbol]')].map(({ dataset }) => dataset.symbol);
/** jsdom knows no events of animations: React then listens to the name that old browsers had. */
const endOfLoop = () => fireEvent(track(), new Event('webkitAnimationEnd', { bubbles: true }));

test('lists each symbol as text, with the time of the last update', async () => {
  show();

  expect(await screen.findByText('C0: 1,000 US dollars, up 1.50% in 24 hours, volume 2.00B US dollars')).toBeDefined();
  expect(listed()).toHaveLength(COUNT);
  expect(screen.getByText(/Last updated/).textContent).toBe('Last updated 11:59:00');
  expect(await screen.findByText('simulated')).toBeDefined();
});

test('names the source of real prices, and no simulated market', async () => {
  backend.config({ market: { ...CONFIG.market, kind: 'live' } });
  show();

  expect(await screen.findByText('by CoinGecko')).toBeDefined();
  expect(screen.queryByText('simulated')).toBeNull();
});

test('hides what moves from assistive technology, and distinguishes up and down by more than colour', async () => {
  show();
  await screen.findAllByText('C0');

  expect(track().closest('[aria-hidden="true"]')).not.toBeNull();
  const [up, down] = [...track().querySelectorAll('[data-symbol]')];
  expect(up?.textContent).toBe('C0▲+1.50%1,000Vol 2.00B');
  expect(down?.textContent).toBe('C1▼−1.50%999.00Vol 2.00B');
});

test('continues each loop where the last one ended, so that every symbol appears', async () => {
  show();
  await screen.findAllByText('C0');
  const first = moving();

  expect(first).toHaveLength(2 * LOOP_ITEMS);
  expect([first[0], first[LOOP_ITEMS]]).toEqual(['C0', `C${LOOP_ITEMS}`]);
  endOfLoop();
  // No jump: the second half shows the same as the first.
  expect(moving().slice(0, LOOP_ITEMS)).toEqual(first.slice(LOOP_ITEMS));
});

test('repeats few symbols within a loop', async () => {
  answer(5);
  show();
  await screen.findAllByText('C0');
  const first = moving();

  endOfLoop();

  expect(first.slice(0, 6)).toEqual(['C0', 'C1', 'C2', 'C3', 'C4', 'C0']);
  expect(moving()).toEqual(first);
  expect(listed()).toHaveLength(5);
});

test('stops the loop by the button and lets it continue', async () => {
  const user = show();
  await screen.findAllByText('C0');

  await user.click(screen.getByRole('button', { name: 'Pause ticker' }));
  expect(track().dataset.paused).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Play ticker' }));
  expect(track().dataset.paused).toBeUndefined();
});

test('moves nothing with reduced motion: all symbols are in a list that scrolls', async () => {
  const still = Object.assign(new EventTarget(), { matches: true });
  vi.spyOn(window, 'matchMedia').mockReturnValue(still as unknown as MediaQueryList);
  show();

  const list = await screen.findByRole('region', { name: 'All symbols' });
  expect(list.tabIndex).toBe(0);
  expect(list.querySelectorAll('[data-symbol]')).toHaveLength(COUNT);
  expect(document.querySelector('[data-loop]')).toBeNull();
  expect(screen.queryByRole('button', { name: /ticker/ })).toBeNull();
});

test('loads prices every 240 seconds', async () => {
  show();
  await screen.findAllByText('C0');

  // The clock runs while the page waits for its answer.
  await act(() => vi.advanceTimersByTimeAsync(NOON + 239_000 - Date.now()));
  expect(backend.to(PATH)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(backend.to(PATH)).toHaveLength(2);
});

test('reports a failure and shows the placeholders, also while it tries again; Retry loads the prices', async () => {
  fail();
  const user = show();

  expect(await screen.findByText(FAILED)).toBeDefined();
  expect(listed().map(({ textContent }) => textContent?.split(':')[0])).toEqual(
    FALLBACK_ITEMS.map(({ symbol }) => symbol),
  );
  expect(screen.queryByText(/Last updated/)).toBeNull();
  expect(screen.queryByText('simulated')).toBeNull();

  const pending = Promise.withResolvers<Response>();
  backend.on(`GET ${PATH}`, () => pending.promise);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(screen.getByText(FAILED)).toBeDefined();
  expect(listed()).toHaveLength(FALLBACK_ITEMS.length);
  pending.resolve(json(rows(COUNT)));

  expect(await screen.findByText(/Last updated/)).toBeDefined();
  expect(screen.queryByText(FAILED)).toBeNull();
});

test('keeps old prices when newer ones fail, with their age', async () => {
  show();
  await screen.findAllByText('C0');

  fail();
  await act(() => vi.advanceTimersByTimeAsync(240_000));

  expect(await screen.findByText(FAILED)).toBeDefined();
  expect(listed()).toHaveLength(COUNT);
  expect(screen.getByText(/Last updated/).textContent).toMatch(/^Last updated 5m ago$/);
});

test('marks prices that are not renewed as old', async () => {
  answer(3, NOON - 2 * 3_600_000);
  show();

  expect((await screen.findByText(/Last updated/)).textContent).toBe('Last updated 2h ago');
});

test('requests again soon while the store is still empty', async () => {
  answer(0);
  show();
  expect(await screen.findByText('No prices yet. They appear automatically.')).toBeDefined();
  answer(COUNT);

  await act(() => vi.advanceTimersByTimeAsync(5000));

  expect((await screen.findAllByText('C0')).length).toBeGreaterThan(0);
});
