import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { toast } from '../../ui/toast.ts';
import { openPopout } from './open-popout.ts';
import { PopoutView } from './popout-view.tsx';

vi.mock('../../charts/candle-canvas.ts', () => import('../../charts/testing/fake-canvas.ts'));
vi.mock('../../platform/error-log.ts', () => ({ reportError: vi.fn() }));

const CANDLES: Candle[] = Array.from({ length: 200 }, (_, i) => ({
  time: 60 * (i + 1),
  open: 10,
  high: 12.25,
  low: 9,
  close: 11.5,
}));

const open = vi.fn<typeof window.open>();
beforeEach(() => {
  vi.stubGlobal('open', open.mockReset().mockReturnValue(window));
  document.documentElement.dataset.theme = 'dark';
});

afterEach(() => vi.unstubAllGlobals());

const openedKey = () => new URL(String(open.mock.lastCall?.[0]), 'http://x').searchParams.get('key');

test('opens a small window whose key leads to the candles, the title, the theme and the time', () => {
  document.documentElement.dataset.theme = 'light';

  openPopout('BTC 1min', CANDLES);

  expect(open.mock.lastCall?.[0]).toMatch(/^\/popout\?key=.+/);
  expect(open.mock.lastCall?.[2]).toContain('width=560,height=420');
  const stored = JSON.parse(window.localStorage.getItem(`popout:${openedKey()}`) ?? '');
  expect(stored).toMatchObject({ title: 'BTC 1min', isDark: false, data: CANDLES });
  expect(Math.abs(Date.now() - stored.ts)).toBeLessThan(5000);
});

test('the window shows title, time of the snapshot and the candles, in the theme of its opener', () => {
  openPopout('ETH 1min', CANDLES);
  document.documentElement.dataset.theme = 'light';

  render(<PopoutView snapshotKey={openedKey()} />);

  expect(screen.getByRole('heading', { name: 'ETH 1min' })).toBeDefined();
  expect(screen.getByRole('img').getAttribute('data-candle-count')).toBe('200');
  expect(document.querySelector('time')?.dateTime).toMatch(/^\d{4}-/);
  expect(document.documentElement.dataset.theme).toBe('dark');
});

test.each([
  [null, 'Missing key', 'No ?key= query parameter was provided.'],
  ['', 'Missing key', 'No ?key= query parameter was provided.'],
  ['abc', 'Nothing to show', 'Couldn’t find cached data for abc. It may have expired or never been created.'],
])('the key %j: %s', (key, title, text) => {
  render(<PopoutView snapshotKey={key} />);

  expect(screen.getByText(title)).toBeDefined();
  expect(screen.getByText(text)).toBeDefined();
});

test.each(['{', '[]', '{"title":"x","isDark":true,"ts":1,"data":[]}', '{"title":1}'])(
  'an entry that reads %s is nothing to show',
  (text) => {
    window.localStorage.setItem('popout:k', text);

    render(<PopoutView snapshotKey="k" />);

    expect(screen.getByText('Nothing to show')).toBeDefined();
  },
);

test('a browser that blocks the window, or storage that is full, is told', () => {
  const told = vi.spyOn(toast, 'error');
  open.mockReturnValue(null);
  openPopout('BTC', CANDLES);
  expect(told).toHaveBeenLastCalledWith('Pop-out blocked by the browser');

  open.mockClear();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  openPopout('BTC', CANDLES);
  expect(told).toHaveBeenLastCalledWith('Unable to cache pop-out data');
  expect(open).not.toHaveBeenCalled();
});

test('a window that was blocked leaves no snapshot behind', () => {
  window.localStorage.clear();
  open.mockReturnValue(null);

  openPopout('BTC', CANDLES);

  expect(Object.keys(window.localStorage)).toEqual([]);
});

test('without candles no window opens and nothing is stored', () => {
  window.localStorage.clear();
  const told = vi.spyOn(toast, 'error');

  openPopout('BTC', []);

  expect(open).not.toHaveBeenCalled();
  expect(Object.keys(window.localStorage)).toEqual([]);
  expect(told).toHaveBeenLastCalledWith('Nothing to pop out yet: no candles are on the chart');
});

test('plain HTTP away from localhost, where there is no randomUUID, opens it too, each time under its own key', () => {
  vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });

  openPopout('BTC', CANDLES);
  const first = openedKey();
  openPopout('BTC', CANDLES);

  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(openedKey()).not.toBe(first);
});

test('snapshots of yesterday make room for new ones', () => {
  openPopout('old', CANDLES);
  const oldName = `popout:${openedKey()}`;
  const old = JSON.parse(window.localStorage.getItem(oldName) ?? '');
  window.localStorage.setItem(oldName, JSON.stringify({ ...old, ts: Date.now() - 25 * 3_600_000 }));
  window.localStorage.setItem('darkMode', 'true');

  openPopout('new', CANDLES);

  expect(window.localStorage.getItem(oldName)).toBeNull();
  expect(window.localStorage.getItem('darkMode')).toBe('true');
});
