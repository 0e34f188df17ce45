import { act, render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { type FakeBackend, fakeBackend } from '../../platform/testing/fake-backend.ts';
import { setProfileZone, toggleUtc } from '../../ui/browser/time-zone.ts';
import { toast } from '../../ui/overlay/toast.ts';
import { openPopout } from './open-popout.ts';
import { PopoutView, readSnapshot } from './popout-view.tsx';

const CANDLES: Candle[] = Array.from({ length: 200 }, (_, i) => ({
  time: 60 * (i + 1),
  open: 10,
  high: 12.25,
  low: 9,
  close: 11.5,
}));

const draw = (key: string | null) =>
  render(
    <MemoryRouter>
      <PopoutView snapshotKey={key} />
    </MemoryRouter>,
  );

const open = vi.fn<typeof window.open>();
beforeEach(() => {
  vi.stubGlobal('open', open.mockReset().mockReturnValue(window));
  document.documentElement.dataset.theme = 'dark';
});

const reportsIn = (backend: FakeBackend) => backend.errors().map(({ error_message }) => error_message);

test.each([
  [null, 'Missing key · No ?key= query parameter was provided.'],
  ['k', 'Nothing to show · Couldn’t find cached data for k. It may have expired or never been created.'],
])('reports a window that has nothing to show, and leads home (key %s)', async (key, text) => {
  const backend = fakeBackend();

  draw(key);

  await waitFor(() => expect(reportsIn(backend)).toEqual([text]));
  expect(screen.getByRole('link', { name: 'Back to the home page' }).getAttribute('href')).toBe('/');
});

const openedKey = () => new URL(String(open.mock.lastCall?.[0]), 'http://x').searchParams.get('key');

test('opens a small window whose key leads to the candles, the title, the theme and the time', () => {
  document.documentElement.dataset.theme = 'light';
  vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_000 });

  openPopout('BTC 1min', CANDLES);

  expect(open.mock.lastCall?.[0]).toMatch(/^\/popout\?key=.+/);
  expect(open.mock.lastCall?.[2]).toContain('width=560,height=420');
  const stored = JSON.parse(window.localStorage.getItem(`popout:${openedKey()}`) ?? '');
  expect(stored).toMatchObject({ title: 'BTC 1min', isDark: false, data: CANDLES, ts: 1_790_000_000_000 });
});

test('shows title, time of the snapshot and the candles, in the theme of its opener', () => {
  openPopout('ETH 1min', CANDLES);
  document.documentElement.dataset.theme = 'light';

  draw(openedKey());

  expect(screen.getByRole('heading', { name: 'ETH 1min' })).toBeDefined();
  expect(screen.getByRole('img').getAttribute('data-candle-count')).toBe('200');
  expect(document.querySelector('time')?.dateTime).toMatch(/^\d{4}-/);
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test('names the window for its content, and shows the time of the snapshot in the reader’s zone', async () => {
  setProfileZone('Asia/Kolkata');
  window.localStorage.setItem('popout:k', aSnapshot({ title: 'SOL 1min', ts: Date.parse('2026-03-29T00:59:30Z') }));

  draw('k');

  await waitFor(() => expect(document.title).toBe('SOL 1min – Kat'));
  expect(document.querySelector('time')?.textContent).toBe('29 Mar 2026, 06:29:30 GMT+5:30');
  act(() => toggleUtc());
  expect(document.querySelector('time')?.textContent).toBe('29 Mar 2026, 00:59:30 UTC');
});

test('shows every digit of the finest prices', () => {
  const fine = CANDLES.map((candle, i) => ({ ...candle, close: i === 199 ? 1.7513e-7 : 1.7512e-7 }));

  openPopout('SATS/USDT 1min', fine);
  draw(openedKey());

  const text = screen.getByRole('img').getAttribute('aria-label');
  expect(text).toMatch(/last close 0\.0₆17512 .* closes at 0\.0₆17513/);
});

test('includes the outcome of the forecast where it is known', () => {
  const actual = CANDLES.slice(150).map((candle) => ({ ...candle, close: 12 }));

  openPopout('BTC 1min', CANDLES, actual);
  draw(openedKey());

  expect(JSON.parse(window.localStorage.getItem(`popout:${openedKey()}`) ?? '').outcome).toEqual(actual);
  const text = screen.getByRole('img').getAttribute('aria-label');
  expect(text).toMatch(
    /A line shows the outcome: 50 real candles, the last closing at 12\.0, \+4\.35%, \+4\.35% from the path’s end\./,
  );
});

test('includes the bands that were saved with the forecast, and drops what is no band', () => {
  const edge = (price: number) => Array.from({ length: 50 }, () => price);
  const band = { lower80: edge(10), upper80: edge(13), lower95: edge(9), upper95: edge(14) };

  openPopout('BTC 1min', CANDLES, [], band);
  draw(openedKey());

  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(/the 80% band there runs from 10\.0 to 13\.0/);
  for (const [name, entry] of [
    ['short', { data: CANDLES.slice(1), band }],
    ['foreign', { data: CANDLES, band: { ...band, lower80: ['10'] } }],
  ] as const) {
    window.localStorage.setItem(`popout:${name}`, JSON.stringify({ ...entry, isDark: true, title: 'BTC', ts: 1 }));
    expect(readSnapshot(window.localStorage, name)).not.toHaveProperty('band');
  }
});

test('says there too that a forecast moves by less than it costs to trade', () => {
  openPopout('BTC 1min Bobcat', CANDLES);
  const { unmount } = draw(openedKey());
  expect(screen.getByText(/^The predicted move \(0 bp\) is smaller than trading costs \(about 10 bp\)/)).toBeDefined();
  unmount();

  openPopout('PEPE/USDT 1min Bobcat', CANDLES);
  const beside = draw(openedKey());
  expect(screen.getByText(/smaller than trading costs/)).toBeDefined();
  beside.unmount();

  for (const [title, candles] of [
    ['BTC Prediction', CANDLES.slice(0, 150)],
    ['Something else', CANDLES],
    ['BTC Prediction', CANDLES.map((candle, i) => (i === 199 ? { ...candle, close: 12 } : candle))],
  ] as const) {
    openPopout(title, candles);
    const shown = draw(openedKey());
    expect(screen.queryByText(/smaller than trading costs/)).toBeNull();
    shown.unmount();
  }
});

test('stores what the specification names and nothing else while no outcome is known', () => {
  openPopout('BTC', CANDLES);

  const stored = JSON.parse(window.localStorage.getItem(`popout:${openedKey()}`) ?? '');
  expect(Object.keys(stored).sort()).toEqual(['data', 'isDark', 'title', 'ts']);
});

test.each([
  [null, 'Missing key', 'No ?key= query parameter was provided.'],
  ['', 'Missing key', 'No ?key= query parameter was provided.'],
  ['abc', 'Nothing to show', 'Couldn’t find cached data for abc. It may have expired or never been created.'],
])('treats the key %j as %s', (key, title, text) => {
  draw(key);

  expect(screen.getByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(screen.getByText(text)).toBeDefined();
});

function aSnapshot(change: Record<string, unknown> = {}): string {
  return JSON.stringify({ data: CANDLES, isDark: true, title: 'BTC', ts: 1_790_000_000_000, ...change });
}

describe('a snapshot that another page of this origin wrote', () => {
  const shown = (change: Record<string, unknown>) => {
    window.localStorage.setItem('popout:k', aSnapshot(change));
    draw('k');
  };
  const count = () => screen.getByRole('img').getAttribute('data-candle-count');

  test('renders a title with markup as text', () => {
    shown({ title: '<img src=x onerror=alert(1)>' });

    expect(screen.getByRole('heading').textContent).toBe('<img src=x onerror=alert(1)>');
    expect(document.querySelector('img')).toBeNull();
  });

  test('cuts an endless title', () => {
    shown({ title: '🐈'.repeat(100_000) });

    expect(screen.getByRole('heading').textContent).toBe('🐈'.repeat(120));
  });

  test.each([
    ['no date', { ts: 1e300 }],
    ['text', { ts: 'now' }],
    ['nothing', { ts: undefined }],
  ])('shows nothing for a time that is %s', (_what, change) => {
    shown(change);

    expect(screen.getByText('Nothing to show')).toBeDefined();
  });

  test.each([
    ['at the border of dates', { ts: 8.63e15 }, '200'],
    ['candles in no order', { data: CANDLES.toReversed() }, '200'],
    ['a minute twice', { data: [...CANDLES.slice(0, 100), ...CANDLES.slice(50)] }, '150'],
    ['prices beyond reason', { data: [...CANDLES, { ...CANDLES[0], time: 1e6, high: 1e300 }] }, '199'],
    ['times beyond dates', { data: [...CANDLES, { ...CANDLES[0], time: 1e300 }] }, '200'],
    ['an invalid outcome', { outcome: 'soon' }, '200'],
    ['an outcome of other minutes', { outcome: [{ ...CANDLES[0], time: 5 }] }, '200'],
    ['separate fields', { data: [{ ...CANDLES[0], constructor: 1, __proto__: null }] }, '1'],
  ])('draws %s', (_what, change, expected) => {
    shown(change);

    expect(count()).toBe(expected);
  });
});

test('orders candles of a snapshot by time, whatever their order there', () => {
  const outcome = CANDLES.slice(150).toReversed();
  window.localStorage.setItem('popout:k', aSnapshot({ data: CANDLES.toReversed(), outcome }));

  expect(readSnapshot(window.localStorage, 'k')).toMatchObject({ data: CANDLES, outcome: CANDLES.slice(150) });
});

test.each(['{', '[]', '{"title":"x","isDark":true,"ts":1,"data":[]}', '{"title":1}'])(
  'shows nothing for an entry that reads %s',
  (text) => {
    window.localStorage.setItem('popout:k', text);

    draw('k');

    expect(screen.getByText('Nothing to show')).toBeDefined();
  },
);

test('reports a browser that blocks the window, or storage that is full', async () => {
  const backend = fakeBackend();
  const shown = vi.spyOn(toast, 'error');
  open.mockReturnValue(null);
  openPopout('BTC', CANDLES);
  expect(shown).toHaveBeenLastCalledWith('Pop-out blocked by the browser');
  await waitFor(() => expect(reportsIn(backend)).toEqual(['Pop-out blocked by the browser']));

  open.mockClear();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  openPopout('BTC', CANDLES);
  expect(shown).toHaveBeenLastCalledWith('Unable to cache pop-out data');
  expect(open).not.toHaveBeenCalled();
});

test('reports storage that is blocked altogether, on both sides', () => {
  const shown = vi.spyOn(toast, 'error');
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });

  openPopout('BTC', CANDLES);
  draw('abc');

  expect(shown).toHaveBeenLastCalledWith('Unable to cache pop-out data');
  expect(open).not.toHaveBeenCalled();
  expect(screen.getByText('Nothing to show')).toBeDefined();
});

test('counts a window that closes immediately as blocked, but not one that is closed later', () => {
  vi.useFakeTimers();
  const shown = vi.spyOn(toast, 'error');
  const opened = { closed: false };
  open.mockReturnValue(opened as Window);
  openPopout('BTC', CANDLES);
  opened.closed = true;
  vi.advanceTimersByTime(300);
  expect(shown).toHaveBeenLastCalledWith('Pop-out blocked by the browser');
  expect(Object.keys(window.localStorage)).toEqual([]);

  shown.mockClear();
  opened.closed = false;
  openPopout('BTC', CANDLES);
  vi.advanceTimersByTime(300);
  opened.closed = true;
  vi.runAllTimers();
  expect(shown).not.toHaveBeenCalled();
  expect(Object.keys(window.localStorage)).toHaveLength(1);
});

test('leaves no snapshot behind after a window that was blocked', () => {
  open.mockReturnValue(null);

  openPopout('BTC', CANDLES);

  expect(Object.keys(window.localStorage)).toEqual([]);
});

test('opens no window and stores nothing without candles', () => {
  const shown = vi.spyOn(toast, 'error');

  openPopout('BTC', []);

  expect(open).not.toHaveBeenCalled();
  expect(Object.keys(window.localStorage)).toEqual([]);
  expect(shown).toHaveBeenLastCalledWith('Nothing to pop out yet: the chart has no candles');
});

test('opens under a separate key each time over plain HTTP, where there is no randomUUID', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });

  openPopout('BTC', CANDLES);
  const first = openedKey();
  openPopout('BTC', CANDLES);

  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(openedKey()).not.toBe(first);
});

test('deletes snapshots of yesterday for new ones', () => {
  openPopout('old', CANDLES);
  const oldName = `popout:${openedKey()}`;
  const old = JSON.parse(window.localStorage.getItem(oldName) ?? '');
  window.localStorage.setItem(oldName, JSON.stringify({ ...old, ts: Date.now() - 25 * 3_600_000 }));
  window.localStorage.setItem('darkMode', 'true');

  openPopout('new', CANDLES);

  expect(window.localStorage.getItem(oldName)).toBeNull();
  expect(window.localStorage.getItem('darkMode')).toBe('true');
});

test('stores twenty snapshots, and deletes the oldest, those of a wrong clock and invalid ones', () => {
  window.localStorage.setItem('popout:ahead', aSnapshot({ ts: Date.now() + 90_000_000 }));
  window.localStorage.setItem('popout:none', 'none');
  for (let i = 0; i < 25; i++) {
    vi.spyOn(Date, 'now').mockReturnValue(1_790_000_000_000 + i);
    openPopout(`window ${i}`, CANDLES);
  }

  const titles = Object.keys(window.localStorage).map(
    (name) => JSON.parse(window.localStorage.getItem(name) ?? '').title,
  );
  expect(titles.sort()).toEqual(Array.from({ length: 20 }, (_, i) => `window ${i + 5}`).sort());
});
