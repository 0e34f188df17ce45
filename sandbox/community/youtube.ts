/**
 * YouTube Data API v3, limited to a channel's counters and uploads. Counts are strings, and an unknown channel is an
 * answer without items. Each call costs a unit of a daily allowance that resets at midnight in California.
 */
import type { RestAnswer } from '../rest-answer.ts';
import { type SampleVideo, sampleVideos, subscriberCountAt, videoCountAt, viewCountAt } from './sample-videos.ts';
import type { CommunityService, ServiceRequest } from './service.ts';

export const YOUTUBE_KEY = 'sandbox';
export const YOUTUBE_CHANNEL = 'UCsandboxsandboxsandbox0';
const UPLOADS = 'UUsandboxsandboxsandbox0';
const MAX_VIDEOS = 60;
const DEFAULT_RESULTS = 5;
const MAX_RESULTS = 50;

export interface SandboxYoutubeOptions {
  unitsPerDay?: number | undefined;
}

export function youtube({ unitsPerDay = 10_000 }: SandboxYoutubeOptions = {}): CommunityService {
  let spent = { day: '', units: 0 };

  function spend(nowMs: number): boolean {
    const day = pacificDay(nowMs);
    spent = { day, units: spent.day === day ? spent.units + 1 : 1 };
    return spent.units <= unitsPerDay;
  }

  return {
    name: 'youtube',
    answer(request) {
      const { path, query, headers, nowMs } = request;
      const refused = refusalOfKey(query.get('key') ?? headerText(headers['x-goog-api-key']));
      if (refused !== null) return refused;
      const list = LISTS.get(path);
      if (list === undefined) return failure(404, 'Not Found', { reason: 'notFound', status: 'NOT_FOUND' });
      if (!spend(nowMs))
        return failure(
          403,
          'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
          { domain: 'youtube.quota', reason: 'quotaExceeded' },
        );
      if (query.get('part') === null)
        return failure(400, "No filter selected. Expected one of: 'part'", missing('youtube.part'));
      return list(request);
    },
    refusal: (status) => failure(status, `fault ${status}`, { reason: 'backendError' }).body,
  };
}

const LISTS: ReadonlyMap<string, (request: ServiceRequest) => RestAnswer> = new Map([
  ['/youtube/v3/channels', channels],
  ['/youtube/v3/playlistItems', playlistItems],
  ['/youtube/v3/videos', videos],
]);

function channels({ query, nowMs }: ServiceRequest): RestAnswer {
  if (query.get('id') !== YOUTUBE_CHANNEL)
    return ok({ kind: 'youtube#channelListResponse', pageInfo: { totalResults: 0, resultsPerPage: 5 } });
  const parts = {
    snippet: {
      title: 'Sandbox sample channel',
      description: 'A sample channel. It does not exist.',
      customUrl: '@sandbox',
      publishedAt: '2024-01-01T00:00:00Z',
      localized: { title: 'Sandbox sample channel', description: 'A sample channel. It does not exist.' },
    },
    contentDetails: { relatedPlaylists: { likes: '', uploads: UPLOADS } },
    statistics: {
      viewCount: String(viewCountAt(nowMs)),
      subscriberCount: String(subscriberCountAt(nowMs)),
      hiddenSubscriberCount: false,
      videoCount: String(videoCountAt(nowMs)),
    },
  };
  return ok({
    kind: 'youtube#channelListResponse',
    pageInfo: { totalResults: 1, resultsPerPage: 5 },
    items: [{ kind: 'youtube#channel', id: YOUTUBE_CHANNEL, ...requestedParts(parts, query) }],
  });
}

function playlistItems({ query, nowMs }: ServiceRequest): RestAnswer {
  if (query.get('playlistId') !== UPLOADS)
    return failure(
      404,
      "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.",
      { domain: 'youtube.playlistItem', reason: 'playlistNotFound' },
    );
  const maxResults = Number(query.get('maxResults') ?? DEFAULT_RESULTS);
  if (!Number.isInteger(maxResults) || maxResults < 0 || maxResults > MAX_RESULTS)
    return failure(400, "Invalid value for 'maxResults'.", { reason: 'badRequest', status: 'INVALID_ARGUMENT' });
  return ok({
    kind: 'youtube#playlistItemListResponse',
    pageInfo: { totalResults: videoCountAt(nowMs), resultsPerPage: maxResults },
    items: sampleVideos(nowMs, maxResults).map(({ id, publishedMs }) => ({
      kind: 'youtube#playlistItem',
      id: `item-${id}`,
      contentDetails: { videoId: id, videoPublishedAt: timeText(publishedMs) },
    })),
  });
}

function videos({ query, nowMs }: ServiceRequest): RestAnswer {
  const ids = (query.get('id') ?? '').split(',').filter((id) => id !== '');
  if (ids.length === 0 || ids.length > MAX_RESULTS)
    return failure(400, 'No filter selected.', missing('youtube.parameter'));
  const known = new Map(sampleVideos(nowMs, MAX_VIDEOS).map((video) => [video.id, video]));
  const items = ids.flatMap((id) => known.get(id) ?? []);
  return ok({
    kind: 'youtube#videoListResponse',
    pageInfo: { totalResults: items.length, resultsPerPage: items.length },
    items: items.map((video) => ({ kind: 'youtube#video', id: video.id, ...requestedParts(videoParts(video), query) })),
  });
}

function videoParts(video: SampleVideo) {
  const { title, description, publishedMs, duration, liveBroadcastContent, views } = video;
  return {
    snippet: {
      publishedAt: timeText(publishedMs),
      channelId: YOUTUBE_CHANNEL,
      title,
      description,
      channelTitle: 'Sandbox sample channel',
      liveBroadcastContent,
    },
    contentDetails: { duration, dimension: '2d', definition: 'hd', caption: 'false', projection: 'rectangular' },
    statistics: { viewCount: String(views), likeCount: String(Math.floor(views / 20)), favoriteCount: '0' },
  };
}

function requestedParts(parts: Readonly<Record<string, unknown>>, query: URLSearchParams): Record<string, unknown> {
  const names = (query.get('part') ?? '').split(',').map((name) => name.trim());
  return Object.fromEntries(Object.entries(parts).filter(([name]) => names.includes(name)));
}

function refusalOfKey(key: string | null): RestAnswer | null {
  if (key === YOUTUBE_KEY) return null;
  if (key === null)
    return failure(
      403,
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
      { reason: 'forbidden', status: 'PERMISSION_DENIED' },
    );
  return failure(400, 'API key not valid. Please pass a valid API key.', {
    reason: 'badRequest',
    status: 'INVALID_ARGUMENT',
    info: 'API_KEY_INVALID',
  });
}

function ok(body: Readonly<Record<string, unknown>>): RestAnswer {
  return { status: 200, body };
}

interface FailureDetails {
  reason: string;
  domain?: string;
  status?: string;
  info?: string;
}

const missing = (domain: string): FailureDetails => ({ domain, reason: 'missingRequiredParameter' });

function failure(code: number, message: string, cause: FailureDetails): RestAnswer {
  const { reason, domain = 'global', status, info } = cause;
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: info, domain: 'googleapis.com' }];
  const error = { code, message, errors: [{ message, domain, reason }], status };
  return { status: code, body: { error: info === undefined ? error : { ...error, details } } };
}

function headerText(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

/** Without milliseconds, as YouTube writes it. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().replace('.000Z', 'Z');
}

function pacificDay(nowMs: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(nowMs);
}
