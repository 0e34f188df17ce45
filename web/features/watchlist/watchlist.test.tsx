import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { MOST_WATCHED, pairKey, type WatchedPair, type Watchlist } from '#domain/watchlist/watchlist.ts';
import { type FakeBackend, fakeBackend, json, storeSession } from '../../platform/testing/fake-backend.ts';
import { reloadPage } from '../../testing/fresh-page.ts';
import { answerRows, aRow, BTC, ETH, GOLD, mountSide, watchServer } from './testing/watch-server.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
  answerRows(backend);
});

const STORED = 'kat-watchlist';
const store = (pairs: Watchlist) => window.localStorage.setItem(STORED, JSON.stringify(pairs));
const stored = (): Watchlist => JSON.parse(window.localStorage.getItem(STORED) ?? '[]');
const rows = () => screen.findAllByRole('listitem');
const names = async () => (await rows()).map((row) => within(row).getByRole('link').getAttribute('aria-label'));
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const row = async (name: string) => {
  const found = (await rows()).find((one) => within(one).queryByRole('link', { name }) !== null);
  return within(found ?? expect.fail(`no row ${name}`));
};
const full = Array.from({ length: MOST_WATCHED }, (_, i): WatchedPair => ({ sym: `C${i}`, timeframe: '1min' }));

test('shows price, change, line and range of each watched pair, and where the price is in it', async () => {
  store([BTC]);
  mountSide();

  const btc = await row('BTC 1 min');
  await btc.findByText('100,035.0');
  btc.getByText('+1.00%');
  btc.getByRole('img', { name: '24 hours: from 99,000.0 to 100,035.0' });
  btc.getByRole('img', {
    name: '80% range of this 1-minute bar: 100,000.0 to 100,100.0. The price is inside the range, 35% of the way up.',
  });
  screen.getByText('Bars: 80% ranges from recent volatility, not from a model.');
});

test('names a market as the search does: its label, its coin, and on hover its exchange', async () => {
  answerRows(backend, (pair) => aRow(pair, { label: 'LINK/USDT', name: 'Chainlink' }));
  store([{ sym: 'LINKUSDT.P', timeframe: '5min' }]);
  mountSide();

  const link = await screen.findByRole('link', { name: 'LINK/USDT 5 min' });
  await (await row('LINK/USDT 5 min')).findByText('Chainlink');
  // Its accessible name has no coin, so neither has its text.
  expect(link.textContent).toBe('LINK/USDT 5 min');
  expect(link.title).toBe('LINK/USDT · Chainlink · BINANCE');
});

test('has low rows beside the chart only', async () => {
  store([BTC]);
  const { unmount } = mountSide();
  expect((await screen.findByRole('list', { name: 'Watched symbols' })).dataset.compact).toBe('true');
  unmount();

  mountSide(BTC, { isBeside: false });

  expect((await screen.findByRole('list', { name: 'Watched symbols' })).dataset.compact).toBeUndefined();
});

test('repeats no label where the coin’s name is unknown', async () => {
  store([GOLD]);
  mountSide();

  const link = await screen.findByRole('link', { name: 'Gold 15 min' });
  await waitFor(() => expect(link.title).toBe('Gold · BINANCE'));
  expect(link.textContent).toBe('Gold 15 min');
});

test('leads to the chart of the pair with one click, and leaves the model as it is', async () => {
  store([ETH]);
  mountSide();

  const eth = await row('ETH 5 min');

  expect(eth.getByRole('link').getAttribute('href')).toBe('/kat?model=lion&sym=ETHUSDT.P&tf=5min');
});

test('marks the pair on the chart', async () => {
  store([ETH, BTC]);
  mountSide();

  expect((await row('BTC 1 min')).getByRole('link').getAttribute('aria-current')).toBe('true');
  expect((await row('ETH 5 min')).getByRole('link').getAttribute('aria-current')).toBeNull();
});

test('keeps a visitor’s list in the browser', async () => {
  mountSide();
  await screen.findByText('Your watchlist is empty');

  await userEvent.click(await button('Watch BTC 1 min'));

  expect(await names()).toEqual(['BTC 1 min']);
  expect((await button('Watch BTC 1 min')).getAttribute('aria-pressed')).toBe('true');
  expect(stored()).toEqual([BTC]);
  reloadPage();
  mountSide(ETH);
  await userEvent.click(await button('Watch ETH 5 min'));
  await userEvent.click(await button('Stop watching BTC 1 min'));
  expect(await names()).toEqual(['ETH 5 min']);
  expect(stored()).toEqual([ETH]);
  expect(backend.to('/rest/v1/watched_pairs')).toEqual([]);
});

test('works for the page if storage is blocked, and says so', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('blocked', 'SecurityError');
  });
  mountSide();

  await userEvent.click(await button('Watch BTC 1 min'));

  expect(await names()).toEqual(['BTC 1 min']);
  screen.getByText(/^Your browser blocks storage/);
});

test('ignores a stored list of another shape', async () => {
  window.localStorage.setItem(STORED, '[{"sym":7}]');
  mountSide();

  await screen.findByText('Your watchlist is empty');
});

test('is ordered by keyboard, with the focus on the moved row, and announces the place', async () => {
  store([BTC, ETH, GOLD]);
  mountSide();
  (await button('Move BTC 1 min')).focus();

  await userEvent.keyboard('{ArrowDown}');
  expect(await names()).toEqual(['ETH 5 min', 'BTC 1 min', 'Gold 15 min']);
  screen.getByText('BTC 1 min is now 2 of 3.');
  expect(document.activeElement).toBe(await button('Move BTC 1 min'));
  await userEvent.keyboard('{End}{ArrowDown}');
  expect(await names()).toEqual(['ETH 5 min', 'Gold 15 min', 'BTC 1 min']);
  await userEvent.keyboard('{Home}{ArrowUp}');

  expect(stored()).toEqual([BTC, ETH, GOLD]);
});

describe('dragging a row', () => {
  const ROW_PX = 40;
  const PAIRS = [BTC, ETH, GOLD];
  const UNMOVED = ['BTC 1 min', 'ETH 5 min', 'Gold 15 min'];

  /** Rows from 100 to 220; the pointer holds the handle of the named row in its middle. */
  async function grab(name: string, init: { button?: number } = {}) {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(ROW_PX);
    store(PAIRS);
    mountSide();
    const handle = await button(`Move ${name}`);
    handle.setPointerCapture = vi.fn();
    const list = handle.closest('li')?.parentElement ?? expect.fail('no list');
    vi.spyOn(list, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 100, 300, PAIRS.length * ROW_PX));
    const startY = 120 + ROW_PX * UNMOVED.indexOf(name);
    fireEvent.pointerDown(handle, { button: 0, pointerId: 7, clientY: startY, ...init });
    const moveBy = (px: number) => fireEvent.pointerMove(handle, { pointerId: 7, clientY: startY + px });
    return { handle, list, moveBy };
  }
  const shifts = async () => (await rows()).map((row) => row.style.transform);
  const dragged = async () => (await rows()).map((row) => row.hasAttribute('data-dragged'));

  test('moves the row with the pointer, makes room where it would land, and saves its new place', async () => {
    const { handle, moveBy } = await grab('BTC 1 min');
    expect(handle.setPointerCapture).toHaveBeenCalledWith(7);

    moveBy(19);
    expect(await shifts()).toEqual(['translateY(19px)', 'translateY(0px)', 'translateY(0px)']);
    moveBy(21);
    expect(await shifts()).toEqual(['translateY(21px)', `translateY(-${ROW_PX}px)`, 'translateY(0px)']);
    expect(await dragged()).toEqual([true, false, false]);
    expect(await names()).toEqual(UNMOVED);
    moveBy(500);
    fireEvent.pointerUp(handle);

    expect(await names()).toEqual(['ETH 5 min', 'Gold 15 min', 'BTC 1 min']);
    expect(stored()).toEqual([ETH, GOLD, BTC]);
    expect(await shifts()).toEqual(['', '', '']);
    expect(document.activeElement).toBe(await button('Move BTC 1 min'));
  });

  test('moves a row up, and the rows that it passes down', async () => {
    const { handle, moveBy } = await grab('Gold 15 min');

    moveBy(-45);
    expect(await shifts()).toEqual(['translateY(0px)', `translateY(${ROW_PX}px)`, 'translateY(-45px)']);
    fireEvent.pointerUp(handle);

    expect(stored()).toEqual([BTC, GOLD, ETH]);
  });

  test('scrolls the list while the pointer is beyond its edge, and counts what it scrolled', async () => {
    const { list, moveBy } = await grab('BTC 1 min');

    moveBy(101);
    expect(list.scrollTop).toBe(12);
    expect((await shifts())[0]).toBe('translateY(113px)');
    moveBy(-21);
    expect(list.scrollTop).toBe(0);
    moveBy(0);

    expect(await shifts()).toEqual(UNMOVED.map(() => 'translateY(0px)'));
  });

  test.each([
    ['Escape', (handle: HTMLElement) => fireEvent.keyDown(handle, { key: 'Escape' })],
    ['the browser, which takes the pointer to scroll', (handle: HTMLElement) => fireEvent.pointerCancel(handle)],
  ])('ends without a change by %s', async (_what, end) => {
    const { handle, moveBy } = await grab('BTC 1 min');
    moveBy(60);

    end(handle);
    moveBy(80);
    fireEvent.pointerUp(handle);

    expect(await shifts()).toEqual(['', '', '']);
    expect(stored()).toEqual(PAIRS);
  });

  test('ends by Escape alone, while a dialog around the list stays open', async () => {
    const { handle } = await grab('BTC 1 min');
    const seen = vi.fn();
    document.addEventListener('keydown', seen);

    // Prevented, so no dialog closes by it; the second press is not for the list.
    expect(fireEvent.keyDown(handle, { key: 'Escape' })).toBe(false);
    expect(seen).not.toHaveBeenCalled();
    expect(fireEvent.keyDown(handle, { key: 'Escape' })).toBe(true);
    document.removeEventListener('keydown', seen);

    expect(seen).toHaveBeenCalledOnce();
  });

  test('begins with the main button only, and leaves shortcuts of the browser alone', async () => {
    const { handle, moveBy } = await grab('BTC 1 min', { button: 2 });
    moveBy(60);
    expect(await dragged()).toEqual([false, false, false]);

    for (const key of ['altKey', 'ctrlKey', 'metaKey'])
      expect(fireEvent.keyDown(handle, { key: 'ArrowDown', [key]: true })).toBe(true);
    expect(stored()).toEqual(PAIRS);
  });
});

test.each([
  ['Market closed', aRow(BTC, { isOpen: false, range: null })],
  ['Prices are delayed', aRow(BTC, { isStale: true, range: null })],
  ['No range: a minute is missing', aRow(BTC, { range: null, rangeGap: 'gap' })],
  ['No range: too few bars yet', aRow(BTC, { range: null, rangeGap: 'too-few' })],
  ['Prices are unavailable right now', { ...BTC, state: 'unavailable' as const }],
  ['No longer traded at a connected venue', { ...BTC, state: 'unknown' as const }],
])('says “%s” in place of a range', async (text, answer) => {
  answerRows(backend, () => answer);
  store([BTC]);
  mountSide();

  await (await row('BTC 1 min')).findByText(text);
});

test('shows the list without prices while they fail, and loads them again', async () => {
  backend.on('GET /market/watch', () => json({}, 400));
  store([BTC]);
  mountSide();
  await screen.findByText('We couldn’t load the prices of your watchlist.');
  expect(await names()).toEqual(['BTC 1 min']);

  answerRows(backend);
  await userEvent.click(await button('Retry'));

  await screen.findByText('100,035.0');
});

test('keeps the last prices, dimmed and with their age, while newer ones fail', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  store([BTC]);
  mountSide();
  const price = await screen.findByText('100,035.0');
  expect(price.closest('.old-figures')).toBeNull();

  backend.on('GET /market/watch', () => json({}, 400));
  await act(() => vi.advanceTimersByTimeAsync(10_000));

  await screen.findByText('Shown as of', { exact: false });
  expect(screen.getByText('100,035.0').closest('.old-figures')).not.toBeNull();
});

test('joins a visitor’s list to the account’s, once', async () => {
  store([ETH, GOLD]);
  storeSession();
  const server = watchServer(backend, [BTC, ETH]);
  mountSide();

  await waitFor(async () => expect(await names()).toEqual(['BTC 1 min', 'ETH 5 min', 'Gold 15 min']));
  expect(server.pairs.map(pairKey)).toEqual([BTC, ETH, GOLD].map(pairKey));
  expect(stored()).toEqual([]);
  expect(screen.queryByText('Your watchlist is full')).toBeNull();
});

test('names what did not fit, until it is dismissed', async () => {
  store([BTC, GOLD]);
  storeSession();
  watchServer(backend, full.slice(1));
  mountSide();

  const notice = await screen.findByText(/^These symbols from before you signed in didn’t fit/);
  expect(notice.textContent).toContain('didn’t fit: Gold 15 min. Remove');
  await userEvent.click(await button('Got it'));
  expect(screen.queryByText(/didn’t fit/)).toBeNull();
});

test('keeps a visitor’s list until the account has it', async () => {
  store([BTC]);
  storeSession();
  const server = watchServer(backend);
  backend.on('POST /rest/v1/rpc/add_watched_pairs', () => json({ message: '' }, 500));
  mountSide();
  await screen.findByText('We couldn’t load your watchlist');
  expect(stored()).toEqual([BTC]);

  watchServer(backend, server.pairs);
  await userEvent.click(await button('Retry'));

  expect(await names()).toEqual(['BTC 1 min']);
});

test('shows a change immediately, and the server’s list if it is not saved', async () => {
  storeSession();
  watchServer(backend, [BTC, ETH]);
  const answer = Promise.withResolvers<Response>();
  backend.on('POST /rest/v1/rpc/order_watched_pairs', () => answer.promise);
  mountSide();
  (await button('Move ETH 5 min')).focus();

  await userEvent.keyboard('{ArrowUp}');
  await waitFor(async () => expect(await names()).toEqual(['ETH 5 min', 'BTC 1 min']));
  answer.resolve(json({ message: '' }, 500));

  await waitFor(async () => expect(await names()).toEqual(['BTC 1 min', 'ETH 5 min']));
});

test('refuses the fifty-first pair and says why', async () => {
  store(full);
  mountSide(GOLD);

  await userEvent.click(await button('Watch Gold 15 min'));

  await screen.findByText('Your watchlist is full: 50 symbols and timeframes. Remove one first.');
  expect(await rows()).toHaveLength(MOST_WATCHED);
});
