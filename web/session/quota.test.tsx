import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../platform/call-error.ts';
import { callFunction } from '../platform/functions.ts';
import { fetchQuota, useQuota } from './quota.ts';

vi.mock('../platform/functions.ts', () => ({ callFunction: vi.fn() }));

const call = vi.mocked(callFunction);
beforeEach(() => void call.mockReset());

test("'na' counts as none left", async () => {
  call.mockResolvedValue({ ok: true, remaining_daily: 'na', remaining_monthly: '7' });

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
])('quota refused with %s', async (_what, answer, message) => {
  call.mockResolvedValue(answer);

  await expect(fetchQuota()).rejects.toThrow(message);
});

test.each([
  [new CallError('auth/session-ended', 'Your session has ended.', 401), 'Your session has ended.'],
  [new CallError('network', 'The server could not be reached.', 0), 'Failed to load quota'],
  [new CallError('internal', 'Something went wrong on our side.', 500), 'Failed to load quota'],
])('a quota call that failed says what the user can use', async (error, message) => {
  call.mockRejectedValue(error);

  await expect(fetchQuota()).rejects.toThrow(message);
});

function showQuota(userId: string | null) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useQuota(userId), { wrapper });
}

test('what could not be read counts as none left, and is asked for again only when someone wants it', async () => {
  call.mockResolvedValueOnce({ ok: false });
  const { result } = showQuota('u1');
  expect(result.current).toMatchObject({ quota: null, error: null });
  await vi.waitFor(() => expect(result.current.error?.message).toBe('Failed to load quota'));
  expect(result.current.quota).toEqual({ remainingDaily: 0, remainingMonthly: 0 });
  expect(call).toHaveBeenCalledOnce();

  call.mockResolvedValue({ ok: true, remaining_daily: 3, remaining_monthly: 9 });
  act(() => result.current.refetch());

  await vi.waitFor(() => expect(result.current.quota).toEqual({ remainingDaily: 3, remainingMonthly: 9 }));
  expect(result.current.error).toBeNull();
});

test('nobody is asked for nobody', () => {
  const { result } = showQuota(null);
  act(() => result.current.refetch());

  expect(call).not.toHaveBeenCalled();
  expect(result.current.quota).toBeNull();
});
