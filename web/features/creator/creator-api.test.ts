import { afterEach, expect, test, vi } from 'vitest';
import type { ChannelStats } from '#domain/community/counters.ts';
import { isTooLate } from '../../platform/calls/time-limit.ts';
import { fetchChannel } from './creator-api.ts';

afterEach(() => vi.unstubAllGlobals());

const STATS: ChannelStats = {
  kind: 'simulated',
  fetchedAt: '2026-11-22T11:55:00.000Z',
  title: 'Kat',
  subscriberCount: 1200,
  viewCount: null,
  videos: [],
};
const { signal } = new AbortController();

test('calls our own function alone, as any browser may', async () => {
  const fetch = vi.fn(async () => Response.json(STATS));
  vi.stubGlobal('fetch', fetch);

  expect(await fetchChannel(signal)).toEqual(STATS);
  expect(fetch).toHaveBeenCalledExactlyOnceWith('/functions/v1/channel-stats', expect.anything());
});

test('fails without an answer in time', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new DOMException('', 'TimeoutError')));

  const error = await fetchChannel(signal).catch((reason: unknown) => reason);

  expect(error).toMatchObject({ message: 'We couldn’t load the channel.' });
  expect(isTooLate(error)).toBe(true);
});
