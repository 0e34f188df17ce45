/** The four counts as shown: a service's own count, a fixed default (R-HOME-10), or unknown. */
import { useQuery } from '@tanstack/react-query';
import { CHANNEL_DEFAULTS, compactCount, DEFAULT_NOTE, NOT_KNOWN } from '#domain/community/counter-messages.ts';
import type { ChannelStats, ChatMembers, PatronStats } from '#domain/community/counters.ts';
import { relativeTime } from '#domain/format/relative-time.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { fetchChannel, fetchMembers, fetchPatrons } from './community-stats-api.ts';

export type StatsVariant = keyof typeof CHANNEL_DEFAULTS;

export interface Figure {
  name: string;
  text: string | null;
  /** A note beside the figure when it is not a current count. */
  beside: string | null;
  /** The fixed default, not a count. */
  isDefault: boolean;
}

export interface CommunityState {
  figures: readonly Figure[];
  isSimulated: boolean;
  /** Time of the oldest count; null when none is known. */
  countedAtMs: number | null;
  /** All three answers together: `data` is null until one has arrived. */
  known: LastData<true>;
  nowMs: number;
}

/** The server queries each service every 10 to 60 minutes. */
const REFRESH_MS = 300_000;
const CLOCK_MS = 30_000;
/** Three periods of the least often queried service. */
const OLD_MS = 3 * 3_600_000;

export function useCommunity(variant: StatsVariant): CommunityState {
  const nowMs = useNow(CLOCK_MS);
  const channel = useCounts('channel', fetchChannel, nowMs);
  const members = useCounts('members', fetchMembers, nowMs);
  const patrons = useCounts('patrons', fetchPatrons, nowMs);
  const all = [channel, members, patrons];
  const stale = all.flatMap(({ staleSinceMs }) => staleSinceMs ?? []);
  const times = all.flatMap(({ data }) => timeOf(data) ?? []);
  return {
    figures: [...channelFigures(channel, variant, nowMs), membersFigure(members, nowMs), patronsFigure(patrons, nowMs)],
    isSimulated: all.some(({ data }) => data?.kind === 'simulated'),
    countedAtMs: times.length === 0 ? null : Math.min(...times),
    known: {
      data: all.some(({ data }) => data !== null) ? true : null,
      failure: all.find(({ failure }) => failure !== null)?.failure ?? null,
      staleSinceMs: stale.length === 0 ? null : Math.min(...stale),
      isRetrying: all.some(({ isRetrying }) => isRetrying),
      retry() {
        for (const part of all) if (part.failure !== null || part.staleSinceMs !== null) part.retry();
      },
    },
    nowMs,
  };
}

interface Counts {
  kind: 'live' | 'simulated';
  fetchedAt: string | null;
}

function useCounts<T extends Counts>(
  name: string,
  fetch: (signal: AbortSignal) => Promise<T>,
  nowMs: number,
): LastData<T> {
  const query = useQuery({
    queryKey: ['community-stats', name],
    queryFn: ({ signal }) => fetch(signal),
    refetchInterval: REFRESH_MS,
  });
  return useLastData(query, REFRESH_MS, nowMs, timeOf);
}

function timeOf(counts: Counts | null): number | null {
  return counts === null || counts.fetchedAt === null ? null : Date.parse(counts.fetchedAt);
}

function channelFigures({ data, failure }: LastData<ChannelStats>, variant: StatsVariant, nowMs: number): Figure[] {
  const { subscribers, views } = CHANNEL_DEFAULTS[variant];
  const { subscriberCount = null, viewCount = null } = data ?? {};
  if (data === null && failure === null) return [waiting('Subscribers'), waiting('Views')];
  if (subscriberCount === null && viewCount === null)
    return [agreed('Subscribers', subscribers), agreed('Views', views)];
  return [
    // A channel may hide its subscriber count, and showing a default in its place would be false.
    counted('Subscribers', subscriberCount, subscriberCount === null ? 'hidden by the channel' : age(data, nowMs)),
    counted('Views', viewCount, age(data, nowMs)),
  ];
}

function membersFigure({ data, failure }: LastData<ChatMembers>, nowMs: number): Figure {
  if (data === null && failure === null) return waiting('Members');
  const online = data === null || data.online === null ? null : `${compactCount(data.online)} online`;
  return counted('Members', data?.members ?? null, age(data, nowMs) ?? online);
}

function patronsFigure({ data, failure }: LastData<PatronStats>, nowMs: number): Figure {
  if (data === null && failure === null) return waiting('Patrons');
  return counted('Patrons', data?.patrons ?? null, age(data, nowMs));
}

const waiting = (name: string): Figure => ({ name, text: null, beside: null, isDefault: false });
const agreed = (name: string, text: string): Figure => ({ name, text, beside: DEFAULT_NOTE, isDefault: true });

function counted(name: string, count: number | null, beside: string | null): Figure {
  if (count !== null) return { name, text: compactCount(count), beside, isDefault: false };
  return { name, text: NOT_KNOWN, beside: name === 'Subscribers' ? beside : 'unknown', isDefault: false };
}

/** '6h ago' when older than OLD_MS; otherwise null. */
function age(counts: Counts | null, nowMs: number): string | null {
  const timeMs = timeOf(counts);
  return timeMs === null || nowMs - timeMs <= OLD_MS ? null : relativeTime(timeMs, nowMs);
}
