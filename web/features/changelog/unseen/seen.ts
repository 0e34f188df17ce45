/** What has been seen of the change log: by the server's word, and by what this page has shown since. */

import { pageState } from '../../../page-state.ts';

/** Of a post, as far as it matters here; times as ISO text. */
export interface SeenPost {
  id: string;
  published_at: string;
}

export interface PublishedPost extends SeenPost {
  created_at: string;
}

/** Its type ends in 'seen'. READINGS 21. */
export const SEEN_EVENT = 'changelog:seen';

/** By whose eyes, and up to which post, since the page was opened. */
const seen = pageState<{ here: { userId: string; post: SeenPost } | null }>(() => ({ here: null }));

/** Tells the page. What was seen holds although writing it down takes a while, or fails. @param userId  null: a visitor */
export function tellSeen(userId: string | null, post: SeenPost): void {
  if (userId !== null) seen().here = { userId, post };
  window.dispatchEvent(new CustomEvent(SEEN_EVENT, { detail: { postId: post.id, publishedAt: post.published_at } }));
}

export function seenHereBy(userId: string): SeenPost | null {
  const { here } = seen();
  return here?.userId === userId ? here.post : null;
}

/** True where the newest post is newer than what was seen; a post that was deleted since is no reason. */
export function isUnseen(newest: SeenPost | null, seen: SeenPost | null): boolean {
  if (newest === null || newest.id === seen?.id) return false;
  return seen === null || Date.parse(newest.published_at) >= Date.parse(seen.published_at);
}

/**
 * Admins see drafts and posts of a later day too. A post that was published as it was written is out, whatever this
 * machine's clock says.
 */
export function isPublished(post: { created_at: string; published_at: string | null }, nowMs: number): boolean {
  if (post.published_at === null) return false;
  const publishedMs = Date.parse(post.published_at);
  return publishedMs <= Date.parse(post.created_at) || publishedMs <= nowMs;
}
