/**
 * The video channel's figures and newest videos, from our own function, which never calls the service while a page
 * waits.
 */
import type { ChannelStats } from '#domain/community/counters.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

const PATH = '/functions/v1/channel-stats';
const FAILED = 'The channel could not be loaded.';

/** @throws CallError for every failure: refused, no answer in time, or an answer of another shape */
export async function fetchChannel(signal: AbortSignal): Promise<ChannelStats> {
  // The schema loads together with the answer, because drawing the page does not need it.
  const check = import('#domain/community/counters.ts');
  try {
    return await inTime(signal, async (limited) => {
      const response = await retryingFetch(PATH, { signal: limited, headers: { accept: 'application/json' } });
      if (!response.ok) throw new CallError('community', FAILED, response.status);
      return (await check).channelStatsSchema.parse(await response.json());
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : new CallError('community', FAILED, 0, error);
  }
}
