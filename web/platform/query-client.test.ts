import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resetPageState } from '../page-state.ts';
import { retryingFetch } from './calls/shed-retry.ts';
import { queryClient } from './query-client.ts';

beforeEach(() => {
  resetPageState();
  vi.useFakeTimers();
});
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** How often a query's request is sent until the query fails. */
async function sendsOf(headers: Record<string, string>): Promise<number> {
  const sent = vi.fn<typeof fetch>(async () => new Response('', { status: 503, headers }));
  vi.stubGlobal('fetch', sent);
  const loading = queryClient.fetchQuery({
    queryKey: ['x'],
    retry: queryClient.getDefaultOptions().queries?.retry ?? false,
    queryFn: async () => {
      const { ok } = await retryingFetch('/x');
      if (!ok) throw new Error('We couldn’t load the figures.');
    },
  });
  const failed = expect(loading).rejects.toThrow('couldn’t load');
  await vi.advanceTimersByTimeAsync(60_000);
  await failed;
  return sent.mock.calls.filter(([url]) => url === '/x').length;
}

test('retries a failed query once', async () => {
  expect(await sendsOf({})).toBe(2);
});

test('leaves the retries of a shed request to the fetch that made them', async () => {
  expect(await sendsOf({ 'x-kat-shed': '1', 'retry-after': '1' })).toBe(4);
});
