/** Three calls of one unit each; never a search, which costs a hundred. */
import * as z from 'zod/mini';
import { type ChannelStats, videoSchema as publicVideoSchema, type Video } from '#domain/community/counters.ts';
import { isShort, MAX_SEARCHED_VIDEOS, MAX_VIDEOS } from '#domain/community/video-rules.ts';
import { feedRequests, jsonOf } from '../platform/feeds/feed-requests.ts';
import { foreignLine, foreignParagraphs } from '../platform/feeds/foreign-text.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface YoutubeOptions {
  restUrl: string;
  key: string;
  channelId: string;
  /** Address of a video, without its id. */
  watchUrl: string;
  log: Logger;
  spend: (() => Promise<void>) | undefined;
  fetch?: typeof fetch | undefined;
}

export type ChannelCounts = Pick<ChannelStats, 'title' | 'subscriberCount' | 'viewCount'>;

export interface ReadChannel {
  counts: ChannelCounts;
  /** Null: the channel has no uploads. */
  uploads: string | null;
}

export interface Youtube {
  /** @throws AppError `venue/unavailable`, also for an unknown channel */
  channel(signal: AbortSignal): Promise<ReadChannel>;
  /** Newest first. @param uploads  of `channel` */
  videos(uploads: string, signal: AbortSignal): Promise<Video[]>;
}

const MAX_TITLE = 200;
const MAX_DESCRIPTION = 1000;

/** JSON has them as text: they may exceed its number range. */
const count = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));

const channelsSchema = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ title: z.string() }),
      statistics: z.object({
        viewCount: count,
        subscriberCount: z.optional(count),
        hiddenSubscriberCount: z.optional(z.boolean()),
        videoCount: z.optional(z.string()),
      }),
      contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.optional(z.string()) }) }),
    }),
  ),
});

/** Requested as a comma-separated list, so an id must not contain a comma. */
const videoId = z.string().check(z.regex(/^[\w-]{1,20}$/));
const listSchema = z.object({ items: z.array(z.unknown()) });
const uploadSchema = z.object({ contentDetails: z.object({ videoId }) });
const videoSchema = z.object({
  id: videoId,
  snippet: z.object({
    title: z.string(),
    description: z.catch(z.string(), ''),
    publishedAt: z.iso.datetime(),
    liveBroadcastContent: z.optional(z.string()),
  }),
  // Absent if the channel hides it.
  statistics: z.catch(z.object({ viewCount: z.catch(z.nullable(count), null) }), { viewCount: null }),
  contentDetails: z.object({ duration: z.string() }),
});
type ForeignVideo = z.output<typeof videoSchema>;

export function youtube({ restUrl, key, channelId, watchUrl, log, spend, fetch }: YoutubeOptions): Youtube {
  const requests = feedRequests({
    baseUrl: restUrl,
    // Sent as a header, because addresses are logged here and by proxies.
    headers: { 'x-goog-api-key': key },
    log,
    ...(spend === undefined ? {} : { spend }),
    fetch,
  });
  const channel = requests.question({
    path: '/youtube/v3/channels',
    query: { part: 'snippet,statistics,contentDetails', id: channelId },
    read: readChannel,
  });

  return {
    channel,
    async videos(uploads, signal) {
      const ids = await requests.question({
        path: '/youtube/v3/playlistItems',
        query: { part: 'contentDetails', playlistId: uploads, maxResults: MAX_SEARCHED_VIDEOS },
        read: readIds,
      })(signal);
      if (ids.length === 0) return [];
      return requests.question({
        path: '/youtube/v3/videos',
        query: { part: 'snippet,statistics,contentDetails', id: ids.join(',') },
        read: (body) => readVideos(body, watchUrl),
      })(signal);
    },
  };
}

function readChannel(body: string): ReadChannel {
  const [channel] = jsonOf(channelsSchema)(body).items;
  if (channel === undefined) throw new Error('no such channel');
  const { snippet, statistics, contentDetails } = channel;
  const { subscriberCount, hiddenSubscriberCount = false, viewCount, videoCount } = statistics;
  return {
    counts: {
      title: foreignLine(snippet.title, MAX_TITLE) || null,
      subscriberCount: hiddenSubscriberCount ? null : (subscriberCount ?? null),
      viewCount,
    },
    // Listing a channel without uploads answers 404.
    uploads: videoCount === '0' ? null : contentDetails.relatedPlaylists.uploads || null,
  };
}

/** Here and below, an unreadable item is dropped: the others are valid without it. */
function readIds(body: string): string[] {
  const { items } = jsonOf(listSchema)(body);
  return items.flatMap((item) => uploadSchema.safeParse(item).data?.contentDetails.videoId ?? []);
}

function readVideos(body: string, watchUrl: string): Video[] {
  const found = jsonOf(listSchema)(body).items.flatMap((item) => videoSchema.safeParse(item).data ?? []);
  return (
    found
      .filter((video) => !isShort({ title: video.snippet.title, duration: video.contentDetails.duration }))
      .filter((video) => video.snippet.liveBroadcastContent !== 'upcoming')
      .map((video) => toVideo(video, watchUrl))
      // The page and the store parse the answer as a whole, so one invalid video would reject all of it.
      .filter((video) => publicVideoSchema.safeParse(video).success)
      .toSorted((a, b) => Date.parse(b.publishedAt) - Date.parse(a.publishedAt))
      .slice(0, MAX_VIDEOS)
  );
}

function toVideo({ id, snippet, statistics }: ForeignVideo, watchUrl: string): Video {
  return {
    id,
    title: foreignLine(snippet.title, MAX_TITLE) || 'Without a title',
    description: foreignParagraphs(snippet.description, MAX_DESCRIPTION),
    viewCount: statistics.viewCount,
    publishedAt: snippet.publishedAt,
    url: watchUrl + id,
  };
}
