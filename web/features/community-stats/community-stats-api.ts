/** Community counts from our own functions, which never call a service while a user waits. */
import type { ChannelStats, ChatMembers, PatronStats } from '#domain/community/counters.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';

const FAILED = { code: 'community', message: 'We couldn’t load the community figures.' };

/** @throws CallError for every failure: refused, no answer in time, or an answer of another shape */
export function fetchChannel(signal: AbortSignal): Promise<ChannelStats> {
  return fetchStats('channel-stats', (body, { channelStatsSchema }) => channelStatsSchema.parse(body), signal);
}

export function fetchMembers(signal: AbortSignal): Promise<ChatMembers> {
  return fetchStats('chat-members', (body, { chatMembersSchema }) => chatMembersSchema.parse(body), signal);
}

export function fetchPatrons(signal: AbortSignal): Promise<PatronStats> {
  return fetchStats('patron-stats', (body, { patronStatsSchema }) => patronStatsSchema.parse(body), signal);
}

type Check = typeof import('#domain/community/counters.ts');

function fetchStats<T>(name: string, read: (body: unknown, check: Check) => T, signal: AbortSignal): Promise<T> {
  // The schema loads together with the answer, because drawing the page does not need it.
  const check = import('#domain/community/counters.ts');
  return fetchJson(`/functions/v1/${name}`, { signal, failure: FAILED, read: async (body) => read(body, await check) });
}
