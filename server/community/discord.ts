/** The chat community's counts, read through an invitation; no key is needed. */
import * as z from 'zod/mini';
import type { ChatMembers } from '#domain/community/counters.ts';
import { type FeedRequest, feedRequests, jsonOf } from '../platform/feeds/feed-requests.ts';
import type { Logger } from '../platform/telemetry/log.ts';

export interface DiscordOptions {
  restUrl: string;
  /** Code of an invitation that never expires. */
  invite: string;
  log: Logger;
  fetch?: typeof fetch | undefined;
}

export type MemberCounts = Pick<ChatMembers, 'members' | 'online'>;

const count = z.int().check(z.nonnegative());
const inviteSchema = z.object({ approximate_member_count: count, approximate_presence_count: z.optional(count) });

export function discord({ restUrl, invite, log, fetch }: DiscordOptions): FeedRequest<MemberCounts> {
  const requests = feedRequests({ baseUrl: restUrl, log, fetch });
  return requests.question({
    path: `/api/v10/invites/${encodeURIComponent(invite)}`,
    query: { with_counts: 'true' },
    read(body) {
      const { approximate_member_count, approximate_presence_count = null } = jsonOf(inviteSchema)(body);
      return { members: approximate_member_count, online: approximate_presence_count };
    },
  });
}
