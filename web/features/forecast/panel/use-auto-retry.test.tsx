import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useAutoRetry } from './use-auto-retry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type State = Parameters<typeof useAutoRetry>[0];

function show(first: State) {
  const retry = vi.fn();
  const { result, rerender } = renderHook(({ state }: { state: State }) => useAutoRetry(state, retry), {
    initialProps: { state: first },
  });
  const pass = (seconds: number) => act(() => vi.advanceTimersByTime(seconds * 1000));
  return { retry, left: () => result.current, become: (state: State) => rerender({ state }), pass };
}

test('counts down from ten seconds and tries again, then after twice as long', () => {
  const { retry, left, become, pass } = show('failed');
  expect(left()).toBe(10);
  pass(4);
  expect([left(), retry.mock.calls.length]).toEqual([6, 0]);
  pass(6);
  expect(retry).toHaveBeenCalledOnce();

  become('trying');
  expect(left()).toBeNull();
  become('failed');
  expect(left()).toBe(20);
  for (const _ of [1, 2, 3]) {
    become('trying');
    become('failed');
  }
  expect(left()).toBe(60);
});

test('begins with ten seconds again after a success', () => {
  const { left, become } = show('failed');
  become('trying');
  become('fine');
  become('failed');
  expect(left()).toBe(10);
});

test('tries immediately when the browser is online again, and never while nothing has failed', () => {
  const { retry, become, pass } = show('failed');
  window.dispatchEvent(new Event('online'));
  expect(retry).toHaveBeenCalledOnce();
  become('fine');
  window.dispatchEvent(new Event('online'));
  pass(600);
  expect(retry).toHaveBeenCalledOnce();
});
