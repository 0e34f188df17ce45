/** The seen state of the change log: the server's record, and posts this page has shown since. */

import { pageState } from '../../../page-state.ts';

/** The fields of a post needed here; times are ISO text. */
export interface SeenPost {
  id: string;
  published_at: string;
}

export interface PublishedPost extends SeenPost {
  created_at: string;
}

/** Its type ends in 'seen' (R-CHANGELOG-3). */
export const SEEN_EVENT = 'changelog:seen';

/** The newest post shown since the page was opened, and the user who saw it. */
const seen = pageState<{ here: { userId: string; post: SeenPost } | null }>(() => ({ here: null }));

/** The post counts as seen even if storing that takes a while or fails. @param userId  null: a visitor */
export function announceSeen(userId: string | null, post: SeenPost): void {
  if (userId !== null) seen().here = { userId, post };
  window.dispatchEvent(new CustomEvent(SEEN_EVENT, { detail: { postId: post.id, publishedAt: post.published_at } }));
}

export function seenHereBy(userId: string): SeenPost | null {
  const { here } = seen();
  return here?.userId === userId ? here.post : null;
}

/** True when the newest post is newer than the last seen one; a seen post deleted since does not count. */
export function isUnseen(newest: SeenPost | null, seen: SeenPost | null): boolean {
  if (newest === null || newest.id === seen?.id) return false;
  return seen === null || Date.parse(newest.published_at) >= Date.parse(seen.published_at);
}

/**
 * Admins also see drafts and future posts. A post published when created is published, whatever this machine's clock
 * shows.
 */
export function isPublished(post: { created_at: string; published_at: string | null }, nowMs: number): boolean {
  if (post.published_at === null) return false;
  const publishedMs = Date.parse(post.published_at);
  return publishedMs <= Date.parse(post.created_at) || publishedMs <= nowMs;
}
