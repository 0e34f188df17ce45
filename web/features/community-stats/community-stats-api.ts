/** Community counts from our own functions, which never call a service while a user waits. */
import type { ChannelStats, ChatMembers, PatronStats } from '#domain/community/counters.ts';
import { CallError } from '../../platform/calls/call-error.ts';
import { retryingFetch } from '../../platform/calls/shed-retry.ts';
import { inTime } from '../../platform/calls/time-limit.ts';

const FAILED = 'Community figures could not be loaded.';

/** @throws CallError for every failure: refused, no answer in time, or an answer of another shape */
export function fetchChannel(signal: AbortSignal): Promise<ChannelStats> {
  return ask('channel-stats', (body, { channelStatsSchema }) => channelStatsSchema.parse(body), signal);
}

/** @throws CallError */
export function fetchMembers(signal: AbortSignal): Promise<ChatMembers> {
  return ask('chat-members', (body, { chatMembersSchema }) => chatMembersSchema.parse(body), signal);
}

/** @throws CallError */
export function fetchPatrons(signal: AbortSignal): Promise<PatronStats> {
  return ask('patron-stats', (body, { patronStatsSchema }) => patronStatsSchema.parse(body), signal);
}

type Check = typeof import('#domain/community/counters.ts');

async function ask<T>(name: string, read: (body: unknown, check: Check) => T, signal: AbortSignal): Promise<T> {
  // The schema loads together with the answer, because drawing the page does not need it.
  const check = import('#domain/community/counters.ts');
  try {
    return await inTime(signal, async (limited) => {
      const response = await retryingFetch(`/functions/v1/${name}`, {
        signal: limited,
        headers: { accept: 'application/json' },
      });
      if (!response.ok) throw new CallError('community', FAILED, response.status);
      return read(await response.json(), await check);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallError ? error : new CallError('community', FAILED, 0, error);
  }
}
