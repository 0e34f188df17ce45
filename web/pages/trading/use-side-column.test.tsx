import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useSideColumn } from './use-side-column.ts';

beforeEach(() => localStorage.clear());

/** As a page of that width. */
function columnAt(widthPx: number) {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
    const [, sign, em] = /(min-width:|>) ([\d.]+)em/.exec(query) ?? [];
    const edgePx = 16 * Number(em);
    const matches = sign === '>' ? widthPx > edgePx : widthPx >= edgePx;
    return Object.assign(new EventTarget(), { matches }) as MediaQueryList;
  });
  return renderHook(useSideColumn).result;
}

test('shows one part beside the chart, and the next page shows it again', () => {
  const side = columnAt(1440);
  expect(side.current.shown).toBe('book');

  act(() => side.current.show('watch'));
  expect([side.current.shown, side.current.hasBook, side.current.watchlist.isOpen]).toEqual(['watch', false, true]);

  expect(columnAt(1440).current.shown).toBe('watch');
});

test('opens chances on a click only, not as they were left', () => {
  const side = columnAt(1440);
  act(() => side.current.show('chances'));
  expect(side.current.shown).toBe('chances');

  expect(columnAt(1440).current.shown).toBe('book');
});

test('gives the book a separate column on the widest screens, and the other column its tabs', () => {
  const side = columnAt(1920);
  expect([side.current.shown, side.current.hasBook]).toEqual(['paper', true]);
  expect(side.current.tabs.map(({ id }) => id)).toEqual(['chances', 'watch', 'paper']);

  act(() => side.current.show('chances'));

  expect([side.current.shown, side.current.hasBook]).toEqual(['chances', true]);
});

test('opens the watchlist over the chances on a narrow screen, and leaves them open', () => {
  const side = columnAt(390);
  act(() => side.current.toggle('chances', true));
  act(() => side.current.watchlist.setOpen(true));
  expect([side.current.shown, side.current.watchlist.isOpen]).toEqual(['chances', true]);

  act(() => side.current.watchlist.setOpen(false));

  expect([side.current.shown, side.current.watchlist.isOpen]).toEqual(['chances', false]);
});

test('opens no dialog on its own, whatever was left beside the chart', () => {
  const wide = columnAt(1440);
  act(() => wide.current.show('watch'));

  expect(columnAt(390).current.watchlist.isOpen).toBe(false);
});
