import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type MarketSymbol, symbolOfLabel } from '#domain/market/symbols.ts';
import { CONFIG, type FakeBackend, fakeBackend } from '../../platform/testing/fake-backend.ts';
import { type FakeLive, fakeLiveFeed, heartbeat, snapshot } from '../../platform/testing/fake-live.ts';
import { OrderBook } from './order-book.tsx';

const BTC = 'BTC-USD';
let world: FakeLive;
let backend: FakeBackend;

beforeEach(() => {
  world = fakeLiveFeed();
  backend = fakeBackend();
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 5 });
});

const symbol = (label: string): MarketSymbol => symbolOfLabel(label) ?? expect.fail(label);
const tree = (label: string) => (
  <QueryClientProvider client={new QueryClient()}>
    <OrderBook symbol={symbol(label)} />
  </QueryClientProvider>
);
const rows = (side: 'ask' | 'bid') => [...document.querySelectorAll<HTMLElement>(`[data-side="${side}"]`)];
const prices = (side: 'ask' | 'bid') => rows(side).map((row) => Number(row.dataset.price));
/** By its label: a query by role computes the style of every row. */
const levelsButton = (count: number) => screen.getByLabelText(`${count} levels`);
const labels = (side: 'ask' | 'bid') =>
  rows(side).flatMap((row) => row.querySelector('[data-price-label]')?.textContent ?? []);

/** Until the browser's next frame, and the tenth of a second between two. */
async function painted(): Promise<void> {
  await act(() => vi.advanceTimersByTimeAsync(130));
}

async function shown(label = 'BTC', middle = 60_000) {
  const view = render(tree(label));
  await act(async () => world.connection().accept());
  await act(() => world.advance(0));
  const product = symbol(label).bookProductId ?? '';
  world.connection().receive(snapshot(product, middle, 120), heartbeat(product));
  await painted();
  return view;
}

test('shows forty levels a side with the best in the middle, every fourth with its price, three of each set apart', async () => {
  await shown();

  expect(prices('ask')).toEqual(Array.from({ length: 40 }, (_, i) => 60_040 - i));
  expect(prices('bid')).toEqual(Array.from({ length: 40 }, (_, i) => 59_999 - i));
  expect(labels('bid')).toEqual(Array.from({ length: 10 }, (_, i) => (59_999 - 4 * i).toLocaleString('en-US')));
  expect(labels('ask')).toHaveLength(10);
  const top = (side: 'ask' | 'bid') => rows(side).filter((row) => row.dataset.top === 'true');
  expect(top('ask').map((row) => row.dataset.price)).toEqual(['60003', '60002', '60001']);
  expect(top('bid').map((row) => row.dataset.price)).toEqual(['59999', '59998', '59997']);
  expect(screen.getByText('60,000.00')).toBeDefined();
  expect(await screen.findByText('simulated')).toBeDefined();
  expect(screen.getByText(/Sandbox market/)).toBeDefined();
});

test('switches to a hundred a side and back, and keeps the present book', async () => {
  await shown();
  const sent = world.connection().sent.length;

  await userEvent.click(levelsButton(100));
  await painted();
  expect([rows('ask').length, rows('bid').length]).toEqual([100, 100]);
  expect(screen.getByRole('button', { name: '100 levels', pressed: true })).toBeDefined();
  await userEvent.click(levelsButton(40));
  await painted();

  expect([rows('ask').length, rows('bid').length]).toEqual([40, 40]);
  expect(world.connection().sent).toHaveLength(sent);
});

test.each([
  ['BTC', 60_000.4, '59,999'],
  ['ETH', 3000.04, '2,999.0'],
  ['SOL', 150.004, '149.00'],
  ['DOGE', 2.00004, '1.0000'],
])('shows prices of %s with their decimals', async (label, middle, best) => {
  await shown(label, middle);

  expect(labels('bid')[0]).toBe(best);
});

test('shows a digit of a size too small for the usual decimals, in its row, its total and the table', async () => {
  await shown();

  world.connection().receive({
    type: 'snapshot',
    product_id: BTC,
    bids: [['59999', '0.00000001']],
    asks: [['60001', '0.5']],
  });
  await painted();

  const figures = [...(rows('bid')[0]?.querySelectorAll('.figures') ?? [])].map((figure) => figure.textContent);
  expect(figures).toEqual(['59,999', '0.00000001', '0.00000001']);
  await act(() => world.advance(10_000));
  world.connection().receive({ type: 'l2update', product_id: BTC, time: '', changes: [['buy', '59998', '2']] });
  await painted();
  expect(within(screen.getByRole('table')).getByText('0.00000001')).toBeDefined();
});

test('changes, adds and removes levels on an update, and drops only a bad one in its midst', async () => {
  await shown();

  world.connection().receive({
    type: 'l2update',
    product_id: BTC,
    time: '',
    changes: [
      ['buy', '59999', '0'],
      ['sell', '60000.5', '2'],
      ['sell', 'NaN', '1'],
      ['buy', '59998', '-1'],
      ['sell', '60001', '0.0'],
    ],
  });
  await painted();

  expect(prices('bid')[0]).toBe(59_998);
  expect(prices('ask').at(-1)).toBe(60_000.5);
  expect(prices('ask')).not.toContain(60_001);
});

test('never draws a crossed book or an empty side, and keeps the previous one', async () => {
  await shown();
  const before = [prices('bid'), prices('ask')];

  world.connection().receive({ type: 'l2update', product_id: BTC, time: '', changes: [['buy', '60010', '1']] });
  await painted();
  expect([prices('bid'), prices('ask')]).toEqual(before);
  world.connection().receive({ type: 'snapshot', product_id: BTC, bids: [], asks: [['60001', '1']] });
  await painted();
  expect([prices('bid'), prices('ask')]).toEqual(before);

  world.connection().receive(snapshot(BTC, 61_000, 50));
  await painted();
  expect(prices('bid')[0]).toBe(60_999);
});

test('dims a silent book and shows its age, keeps the figures, and restores it on the next update', async () => {
  await shown();
  const levels = screen.getByRole('region', { name: /^Levels of/ });
  expect(levels.dataset.stale).toBe('false');

  await act(() => world.advance(7500));
  expect(screen.getByText('stale · 7 s')).toBeDefined();
  expect(levels.dataset.stale).toBe('true');
  expect(prices('bid')).toHaveLength(40);

  await act(async () => world.connection().receive(heartbeat(BTC)));
  expect(screen.queryByText(/^stale/)).toBeNull();
  expect(levels.dataset.stale).toBe('false');
});

test('reports a lost connection in a line, and changes nothing before the next snapshot', async () => {
  await shown();
  await act(async () => world.connection().break());
  expect(screen.getByText('Live price stream error — retrying')).toBeDefined();
  expect(prices('bid')[0]).toBe(59_999);

  await act(() => world.advance(1000));
  await act(async () => world.connection().accept());
  expect(screen.queryByText('Live price stream error — retrying')).toBeNull();
  world.connection().receive({ type: 'l2update', product_id: BTC, time: '', changes: [['buy', '59999.5', '1']] });
  await painted();
  expect(prices('bid')[0]).toBe(59_999);
  world.connection().receive(snapshot(BTC, 50_000, 120));
  await painted();

  expect(prices('bid')[0]).toBe(49_999);
});

test.each([
  ['simulated', 'streaming', ['live']],
  ['live', 'live', ['streaming', 'simulated']],
] as const)('labels the book of a %s market as %s', async (kind, label, others) => {
  backend.config({ market: { ...CONFIG.market, kind } });
  await shown();

  expect(await screen.findByText(label)).toBeDefined();
  expect(others.flatMap((other) => screen.queryAllByText(other))).toEqual([]);
});

test('shows twelve levels a side on a phone, their bars as wide as the book of those twelve, and more by one control', async () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue(Object.assign(new EventTarget(), { matches: true }) as MediaQueryList);
  await shown();
  const outline = (side: 'ask' | 'bid') =>
    document.querySelector<HTMLElement>(`[data-bars="${side}"]`)?.style.clipPath.split(', ') ?? [];

  expect([prices('ask').length, prices('bid').length]).toEqual([12, 12]);
  expect(screen.getByRole('button', { name: '12 levels', pressed: true })).toBeDefined();
  // Two corners a row. The bars farthest from the middle reach the left edge.
  expect([outline('ask').length, outline('bid').length]).toEqual([26, 26]);
  expect(outline('ask').slice(0, 3)).toEqual(['polygon(100% 0%', '0% 0%', '0% 8.3%']);
  expect(outline('bid').slice(-3)).toEqual(['0% 91.7%', '0% 100%', '100% 100%)']);
  const control = within(screen.getByRole('group', { name: 'Levels per side' }));
  expect(control.getAllByRole('button').map((button) => button.textContent)).toEqual(['12', '40', '100']);

  for (const count of [40, 100, 12]) {
    await userEvent.click(levelsButton(count));
    await painted();
    expect(prices('bid')).toHaveLength(count);
    expect(control.getByRole('button', { pressed: true }).textContent).toBe(String(count));
  }
});

test('shows DoM not available for a symbol without a product, and requests nothing', async () => {
  render(tree('Gold'));
  await act(() => world.advance(0));

  expect(screen.getByText('DoM not available')).toBeDefined();
  expect(screen.queryByText('simulated')).toBeNull();
  expect(screen.queryByLabelText('40 levels')).toBeNull();
  expect(world.connections).toHaveLength(0);
});

test('leaves the first symbol for another one and shows no figure of it', async () => {
  const { rerender } = await shown();
  world.connection().sent.length = 0;

  rerender(tree('ETH'));
  await act(() => world.advance(0));

  expect(rows('ask')).toEqual([]);
  expect(world.connection().sent).toEqual([
    { type: 'unsubscribe', product_ids: [BTC], channels: ['level2', 'heartbeat'] },
    { type: 'subscribe', product_ids: ['ETH-USD'], channels: ['level2', 'heartbeat'] },
  ]);
});

test('offers assistive technology a table of ten levels a side and a sentence, renewed every ten seconds', async () => {
  await shown();
  const summary = () => screen.getByText(/best bid/).textContent;
  const first = 'BTC: best bid 59,999.00, best ask 60,001.00, spread 2.00.';
  expect(summary()).toBe(first);
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(21);

  world.connection().receive(snapshot(BTC, 60_100, 120));
  await painted();
  expect(summary()).toBe(first);
  await act(() => world.advance(10_000));
  world.connection().receive(snapshot(BTC, 60_200, 120), heartbeat(BTC));
  await painted();

  expect(summary()).toContain('best bid 60,199.00');
});

const pace = () => screen.queryByText(/^The site is busy/);
const alive = (book_every_ms?: number) => ({ type: 'alive', time: '2026-01-01T00:00:00Z', book_every_ms });

test('says quietly how often the book is updated while the server thins out its updates', async () => {
  await shown();
  expect(pace()).toBeNull();

  await act(async () => world.connection().receive(alive(1000)));
  expect(pace()?.textContent).toBe('The site is busy: the order book updates about once a second.');
  expect(pace()?.closest('[aria-live="polite"]')).not.toBeNull();
  await act(async () => world.connection().receive(alive()));

  expect(pace()).toBeNull();
});

test('leaves the line about updates as it is while nothing changes, so that it is read out once', async () => {
  await shown();
  await act(async () => world.connection().receive(alive(200)));
  const changes = vi.fn();
  const observer = new MutationObserver(changes);
  observer.observe(pace() ?? expect.fail('no line'), { childList: true, characterData: true, subtree: true });

  await act(async () => world.connection().receive(alive(200), alive(200)));
  await act(async () => {});

  expect(changes).not.toHaveBeenCalled();
  expect(pace()?.textContent).toBe('The site is busy: the order book updates about 5 times a second.');
});

test('drops the line about updates when the connection breaks', async () => {
  await shown();
  await act(async () => world.connection().receive(alive(200)));

  await act(async () => world.connection().break());

  expect(pace()).toBeNull();
});
