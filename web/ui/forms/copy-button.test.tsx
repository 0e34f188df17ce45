import { act, fireEvent, render, screen } from '@testing-library/react';
import { toast } from 'react-hot-toast/headless';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toaster } from '../overlay/toaster.tsx';
import { onFailureShown } from '../status/reported-failure.tsx';
import { COPIED_MS, COPY_FAILED, CopyButton } from './copy-button.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // The library's queue outlives a test's page.
  toast.remove();
  vi.useRealTimers();
  Reflect.deleteProperty(navigator, 'clipboard');
});

function withClipboard(writeText: (text: string) => Promise<void>): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
}

async function copy(): Promise<void> {
  render(
    <>
      <CopyButton text="abc" what="BTC address" />
      <Toaster />
    </>,
  );
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Copy BTC address' }));
  });
}

test('confirms a copy, visibly and to a screen reader, for 1.6 seconds', async () => {
  const writeText = vi.fn(async () => {});
  withClipboard(writeText);

  await copy();

  expect(writeText).toHaveBeenCalledExactlyOnceWith('abc');
  expect(screen.getByRole('button').textContent).toBe('Copied');
  expect(screen.getByRole('button', { name: 'Copied BTC address' })).toBeDefined();
  expect(screen.getByText('Copied BTC address', { selector: '[role=status]' })).toBeDefined();
  act(() => vi.advanceTimersByTime(COPIED_MS - 1));
  expect(screen.getByRole('button').textContent).toBe('Copied');
  act(() => vi.advanceTimersByTime(1));
  expect(screen.getByRole('button', { name: 'Copy BTC address' }).textContent).toBe('Copy');
  expect(screen.queryByText('Copied BTC address')).toBeNull();
  expect(COPIED_MS).toBe(1600);
});

test.each([
  ['refuses', () => withClipboard(() => Promise.reject(new Error('denied')))],
  ['is not there', () => {}],
])('reports a clipboard that %s, and confirms nothing', async (_how, prepare) => {
  prepare();
  const reported: string[] = [];
  onFailureShown((text) => reported.push(text));

  await copy();

  expect(screen.getByText(COPY_FAILED)).toBeDefined();
  expect(reported).toEqual([COPY_FAILED]);
  expect(screen.getByRole('button').textContent).toBe('Copy');
});
