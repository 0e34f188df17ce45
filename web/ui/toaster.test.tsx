import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LEAVING_MS, TOAST_MS, toast } from './toast.ts';
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

test.each(['show', 'success', 'error'] as const)('a toast of kind %s goes after 2000 ms', (kind) => {
  act(() => void toast[kind]('Saved'));
  wait(TOAST_MS - 50);
  expect(screen.getByText('Saved')).toBeTruthy();

  wait(50);
  wait(LEAVING_MS);

  expect(screen.queryByText('Saved')).toBeNull();
});

test('a loading toast stays until it is replaced, and what replaces it goes after 2000 ms', () => {
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

test('at most twenty stand at once', () => {
  act(() => {
    for (let i = 0; i < 25; i += 1) toast.show(`message ${i}`);
  });

  expect(screen.getAllByRole('status')).toHaveLength(20);
});
