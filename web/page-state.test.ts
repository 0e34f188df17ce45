import { expect, test, vi } from 'vitest';
import { timersUntil } from './page-state.ts';

test('runs what is due before the end, and nothing that was cancelled or comes later', () => {
  vi.useFakeTimers();
  const page = new AbortController();
  const after = timersUntil(page.signal);
  const ran: string[] = [];
  after(10, () => ran.push('due'));
  after(10, () => ran.push('cancelled'))();
  after(30, () => ran.push('late'));

  vi.advanceTimersByTime(20);
  page.abort();
  after(0, () => ran.push('after the end'));
  vi.advanceTimersByTime(100);

  expect(ran).toEqual(['due']);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
