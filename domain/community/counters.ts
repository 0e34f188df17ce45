import * as z from 'zod/mini';

const countOrNull = z.nullable(z.int().check(z.nonnegative()));
const kind = z.enum(['live', 'simulated']);
/** ISO 8601: when the service was last queried; null: it never answered. */
const fetchedAt = z.nullable(z.iso.datetime());

export const videoSchema = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  viewCount: countOrNull,
  publishedAt: z.iso.datetime(),
  url: z.url({ protocol: /^https$/ }),
});
export type Video = z.infer<typeof videoSchema>;

/** GET /functions/v1/channel-stats. At most ten videos, newest first, without Shorts. */
export const channelStatsSchema = z.object({
  kind,
  fetchedAt,
  title: z.nullable(z.string()),
  /** Also null when the channel hides it. */
  subscriberCount: countOrNull,
  viewCount: countOrNull,
  videos: z.array(videoSchema),
});
export type ChannelStats = z.infer<typeof channelStatsSchema>;

/** GET /functions/v1/chat-members. */
export const chatMembersSchema = z.object({ kind, fetchedAt, members: countOrNull, online: countOrNull });
export type ChatMembers = z.infer<typeof chatMembersSchema>;

/** GET /functions/v1/patron-stats. */
export const patronStatsSchema = z.object({ kind, fetchedAt, patrons: countOrNull });
export type PatronStats = z.infer<typeof patronStatsSchema>;
