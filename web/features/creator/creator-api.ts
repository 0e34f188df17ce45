/** From our own function, which never calls the video service while a page waits. */
import type { ChannelStats } from '#domain/community/counters.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';

/** @throws CallError for every failure: refused, no answer in time, or an answer of another shape */
export function fetchChannel(signal: AbortSignal): Promise<ChannelStats> {
  // The schema loads together with the answer, because drawing the page does not need it.
  const check = import('#domain/community/counters.ts');
  return fetchJson('/functions/v1/channel-stats', {
    signal,
    failure: { code: 'community', message: 'We couldn’t load the channel.' },
    read: async (body) => (await check).channelStatsSchema.parse(body),
  });
}
