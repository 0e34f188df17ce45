import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LASTING_MS, LEAVING_MS, TOAST_MS, toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  render(<Toaster />);
});
afterEach(() => {
  act(() => {
    toast.dismiss();
    vi.runOnlyPendingTimers();
  });
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test.each(['show', 'success', 'error'] as const)('hides a toast of kind %s after 2000 ms', (kind) => {
  act(() => void toast[kind]('Saved'));
  wait(TOAST_MS - 50);
  expect(screen.getByText('Saved')).toBeTruthy();

  wait(50);
  wait(LEAVING_MS);

  expect(screen.queryByText('Saved')).toBeNull();
});

test('keeps a loading toast until it is replaced, and hides its replacement after 2000 ms', () => {
  let id = '';
  act(() => {
    id = toast.loading('Loading…');
  });
  wait(60_000);
  wait(LEAVING_MS);
  expect(screen.getByText('Loading…')).toBeTruthy();

  act(() => void toast.success('Done', { id }));
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(screen.getByText('Done')).toBeTruthy();
  wait(TOAST_MS);
  wait(LEAVING_MS);

  expect(screen.queryByText('Done')).toBeNull();
});

test('shows at most twenty at the same time', () => {
  act(() => {
    for (let i = 0; i < 25; i += 1) toast.show(`message ${i}`);
  });

  expect(screen.getAllByRole('status')).toHaveLength(20);
});

test('keeps a toast with a link longer, and as long as the focus is in it', () => {
  act(() => void toast.lasting(<a href="/a">News</a>, { id: 'a' }));
  wait(TOAST_MS + LEAVING_MS);
  act(() => screen.getByRole('link').focus());
  wait(2 * LASTING_MS);
  expect(screen.getByRole('link')).toBeTruthy();

  act(() => screen.getByRole('link').blur());
  wait(LASTING_MS);
  wait(LEAVING_MS);

  expect(screen.queryByRole('link')).toBeNull();
});

test('does not hold up later toasts by one dismissed with pointer and focus in it', () => {
  act(() => void toast.lasting(<a href="/a">News</a>, { id: 'a' }));
  fireEvent.mouseEnter(screen.getByRole('link').closest('[role="status"]')?.parentElement ?? document.body);
  act(() => screen.getByRole('link').focus());
  act(() => toast.dismiss('a'));
  wait(LEAVING_MS);
  expect(screen.queryByRole('link')).toBeNull();

  act(() => void toast.show('Saved'));
  wait(TOAST_MS);
  wait(LEAVING_MS);

  expect(screen.queryByText('Saved')).toBeNull();
});

test('goes above a figure that must stay visible', () => {
  const box = (top: number, bottom: number) => ({ left: 0, right: 400, top, bottom }) as DOMRect;
  const boxes = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (
    this: HTMLElement,
  ) {
    return this.dataset.keepClear === undefined ? box(704, 752) : box(700, 760);
  });
  const figure = document.body.appendChild(document.createElement('p'));
  figure.dataset.keepClear = '';

  act(() => void toast.show('Saved'));

  const region = screen.getByRole('status').parentElement;
  expect(region?.style.translate).toBe(`0px ${16 - (window.innerHeight - 700 + 8)}px`);
  boxes.mockRestore();
  figure.remove();
});

test('places a quiet toast above content that another one may cover', () => {
  const box = (top: number, bottom: number) => ({ left: 0, right: 400, top, bottom }) as DOMRect;
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'BUTTON' ? box(700, 760) : box(704, 752);
  });
  const main = document.body.appendChild(document.createElement('main'));
  main.append(document.createElement('button'));

  act(() => void toast.success('Done', { isQuiet: true }));

  const region = screen.getByRole('status').parentElement;
  expect(region?.style.translate).toBe(`0px ${16 - (window.innerHeight - 700 + 8)}px`);
  // Moving with each step of a scroll would distract.
  window.dispatchEvent(new Event('scroll'));
  expect(region?.style.translate).toBe(`0px ${16 - (window.innerHeight - 700 + 8)}px`);
  act(() => void toast.show('Saved'));
  expect(region?.style.translate).toBe('0px');
  vi.mocked(HTMLElement.prototype.getBoundingClientRect).mockRestore();
  main.remove();
});
