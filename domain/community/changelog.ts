import * as z from 'zod/mini';

/** Longest post content after trimming, in characters (code points). */
export const MAX_POST_CHARACTERS = 20_000;
export const POSTS_PER_PAGE = 20;
export const MAX_COUNTED_POSTS = 200;

export const CHANGELOG_MESSAGES = {
  contentRequired: 'Content is required',
  quickUpdateRequired: 'Write something first',
  contentTooLong: 'Content must be at most 20,000 characters',
  adminsPost: 'You must be an admin to post.',
  adminsDelete: 'You must be an admin to delete.',
  signInToLike: 'Sign in to like posts',
  deleteQuestion: 'Are you sure you want to delete this post?',
  postsFailed: 'Failed to load posts',
  likesFailed: 'Failed to load likes',
  likeFailed: 'Could not update like',
  saveFailed: 'Failed to save post',
  deleteFailed: 'Failed to delete post',
  postFailed: 'Failed to post',
  seenFailed: 'Could not mark changelog as read',
} as const;

/** Times as ISO text. `published_at` null: a draft, which only admins can read. */
export const changelogPost = z.object({
  id: z.string(),
  content: z.string(),
  author_id: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  published_at: z.nullable(z.string()),
});
export type ChangelogPost = z.infer<typeof changelogPost>;

export const changelogLike = z.object({ post_id: z.string(), user_id: z.string() });

export const changelogLikeCount = z.object({ post_id: z.string(), likes: z.number() });

const BLANK = /[\s\u0085\u180e\u200b-\u200d\u2060\u2800\u3164]/u;

/** Trims white space of any script and zero-width characters at both ends, as the database does. */
export function trimmedContent(content: string): string {
  // A loop, because a pattern anchored at the end retries every run of blanks.
  let [from, to] = [0, content.length];
  while (from < to && BLANK.test(content.charAt(from))) from += 1;
  while (to > from && BLANK.test(content.charAt(to - 1))) to -= 1;
  return content.slice(from, to);
}

/** The reason that the database would refuse the content; null when it accepts it. */
export function contentFault(content: string): string | null {
  const trimmed = trimmedContent(content);
  if (trimmed === '') return CHANGELOG_MESSAGES.contentRequired;
  return isTooLong(trimmed) ? CHANGELOG_MESSAGES.contentTooLong : null;
}

/** A character may take two code units, so only texts that could be too long are counted. */
function isTooLong(text: string): boolean {
  return text.length > MAX_POST_CHARACTERS && Array.from(text).length > MAX_POST_CHARACTERS;
}
