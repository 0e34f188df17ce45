/** The channel as the page shows it. It distinguishes real counts, hidden counts and the fixed defaults (R-HOME-10). */
import { useQuery } from '@tanstack/react-query';
import { CHANNEL_DEFAULTS, compactCount, DEFAULT_NOTE, NOT_KNOWN } from '#domain/community/counter-messages.ts';
import type { ChannelStats } from '#domain/community/counters.ts';
import { useNow } from '../../ui/browser/use-now.ts';
import { type LastData, useLastData } from '../../ui/status/last-data.ts';
import { fetchChannel } from './creator-api.ts';

/** The server queries the service every fifteen minutes. */
const REFRESH_MS = 300_000;
const CLOCK_MS = 30_000;
/** Beyond three hours without an answer, the figures show their age. */
const OLD_MS = 3 * 3_600_000;

export interface ChannelFigure {
  text: string | null;
  /** A note beside the figure when it is not a current count. */
  beside: string | null;
  /** The fixed default, not a count. */
  isDefault: boolean;
}

export interface ChannelState {
  known: LastData<ChannelStats>;
  subscribers: ChannelFigure;
  views: ChannelFigure;
  /** When the service was queried; null if it never answered. */
  queriedAtMs: number | null;
  /** The service has never answered, whether or not our server did. */
  isMissing: boolean;
  nowMs: number;
}

export function useChannel(): ChannelState {
  const nowMs = useNow(CLOCK_MS);
  const query = useQuery({
    queryKey: ['creator', 'channel'],
    queryFn: ({ signal }) => fetchChannel(signal),
    refetchInterval: REFRESH_MS,
  });
  const latest = useLastData(query, REFRESH_MS, nowMs, timeOf);
  const { data, failure } = latest;
  const queriedAtMs = data === null ? null : timeOf(data);
  const isOld = queriedAtMs !== null && nowMs - queriedAtMs > OLD_MS;
  const isMissing = data === null ? failure !== null : queriedAtMs === null;
  const { subscribers, views } = CHANNEL_DEFAULTS.home;
  return {
    known: {
      ...latest,
      failure: failure ?? (isOld ? 'The video service hasn’t responded.' : null),
      staleSinceMs: latest.staleSinceMs ?? (isOld ? queriedAtMs : null),
    },
    subscribers: figure(data, isMissing, data?.subscriberCount ?? null, subscribers),
    views: figure(data, isMissing, data?.viewCount ?? null, views),
    queriedAtMs,
    isMissing,
    nowMs,
  };
}

function figure(data: ChannelStats | null, isMissing: boolean, count: number | null, agreed: string): ChannelFigure {
  if (isMissing) return { text: agreed, beside: DEFAULT_NOTE, isDefault: true };
  if (data === null) return { text: null, beside: null, isDefault: false };
  // The channel hides this count, and showing a default in its place would be false.
  if (count === null) return { text: NOT_KNOWN, beside: 'hidden by the channel', isDefault: false };
  return { text: compactCount(count), beside: null, isDefault: false };
}

function timeOf({ fetchedAt }: ChannelStats): number | null {
  return fetchedAt === null ? null : Date.parse(fetchedAt);
}
