import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type FakeBackend, fakeBackend, json } from '../platform/testing/fake-backend.ts';
import { fetchQuota, useQuota } from './quota.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = fakeBackend();
});
const answer = (body: unknown, status = 200) => backend.fn('get-quota', () => json(body, status));
const calls = () => backend.to('/functions/v1/get-quota').length;

test("counts 'na' as none left", async () => {
  answer({ ok: true, remaining_daily: 'na', remaining_monthly: '7' });

  expect(await fetchQuota()).toEqual({ remainingDaily: 0, remainingMonthly: 7 });
});

test.each([
  ["the server's reason", { ok: false, reason: 'Plan ended' }, 'Plan ended'],
  [
    'a code and a sentence',
    { ok: false, reason: 'database/busy', message: 'The database is busy.' },
    'The database is busy.',
  ],
  ['no reason', { ok: false }, 'Failed to load quota'],
  ['nonsense', 'hello', 'Failed to load quota'],
])('reports a quota refused with %s', async (_what, refusal, message) => {
  answer(refusal);

  await expect(fetchQuota()).rejects.toThrow(message);
});

test.each([
  [() => json({ code: 'auth/session-ended', error: 'Your session has ended.' }, 401), 'Your session has ended.'],
  [() => Promise.reject(new TypeError('Failed to fetch')), 'Failed to load quota'],
  [() => json({ code: 'internal', error: 'Something went wrong on our side.' }, 500), 'Failed to load quota'],
])('reports a quota call that failed as what the user can use', async (failure, message) => {
  backend.fn('get-quota', failure);

  await expect(fetchQuota()).rejects.toThrow(message);
});

function showQuota(userId: string | null) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useQuota(userId), { wrapper });
}

test('reports an unreadable quota as unknown, and requests it again on demand', async () => {
  answer({ ok: false });
  const { result } = showQuota('u1');
  expect(result.current).toMatchObject({ quota: null, error: null });
  await vi.waitFor(() => expect(result.current.error?.message).toBe('Failed to load quota'));
  expect(result.current.quota).toBeNull();
  expect(calls()).toBe(1);

  backend.quota(3, 9);
  act(() => result.current.refetch());

  await vi.waitFor(() => expect(result.current.quota).toEqual({ remainingDaily: 3, remainingMonthly: 9 }));
  expect(result.current.error).toBeNull();
});

test('requests an unreadable quota again until it is there, and reports the failure meanwhile', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  answer({ ok: false });
  const { result } = showQuota('u1');
  await vi.waitFor(() => expect(result.current.error?.message).toBe('Failed to load quota'));
  let respond = (_quota: Response) => {};
  backend.fn('get-quota', () => new Promise((resolve) => (respond = resolve)));

  await act(() => vi.advanceTimersByTimeAsync(15_000));

  await vi.waitFor(() => expect(calls()).toBe(2));
  expect(result.current).toMatchObject({ isRefetching: true, error: { message: 'Failed to load quota' } });
  act(() => respond(json({ ok: true, remaining_daily: 3, remaining_monthly: 9 })));
  await vi.waitFor(() => expect(result.current.quota).toEqual({ remainingDaily: 3, remainingMonthly: 9 }));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(calls()).toBe(2);
});

test('requests nothing without a user', () => {
  const { result } = showQuota(null);
  act(() => result.current.refetch());

  expect(calls()).toBe(0);
  expect(result.current.quota).toBeNull();
});
