import * as z from 'zod/mini';
import {
  CHANGELOG_MESSAGES,
  type ChangelogPost,
  changelogLike,
  changelogLikeCount,
  changelogPost,
  POSTS_PER_PAGE,
} from '#domain/community/changelog.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { type Tables, tables } from '../../../platform/supabase.ts';

export interface PostPage {
  posts: ChangelogPost[];
  /** All posts that this reader may see, not only those of the page. */
  total: number;
}

export interface PostLikes {
  count: number;
  isLiked: boolean;
}

export type LikesByPost = ReadonlyMap<string, PostLikes>;

const POST_FIELDS = 'id, content, author_id, created_at, updated_at, published_at';
/** The offset is past the end: posts were deleted since the previous page was read. */
const PAST_THE_END = 'PGRST103';
/** Denied by a policy, which has no message for users. */
const REFUSED = '42501';
const DUPLICATE = '23505';

/** An error, and the status, which shows whether the server answered at all. */
interface Answer {
  error: { code: string; message: string } | null;
  status: number;
}

/**
 * Newest published first, drafts last. @param page  from 0, with 20 posts each
 * @throws Error when the database refuses, does not answer in time, or answers something else
 */
export function fetchPosts(page: number, signal: AbortSignal): Promise<PostPage> {
  return inTime(signal, async (limited) => {
    const from = page * POSTS_PER_PAGE;
    const { data, error, count } = await (await tables())
      .from('changelog_posts')
      .select(POST_FIELDS, { count: 'exact' })
      .order('published_at', { ascending: false, nullsFirst: false })
      .order('created_at', { ascending: false })
      // The component that shows the posts retries.
      .retry(false)
      .abortSignal(limited)
      .range(from, from + POSTS_PER_PAGE - 1);
    if (error?.code === PAST_THE_END) return { posts: [], total: from };
    if (error !== null) throw new Error(error.message || CHANGELOG_MESSAGES.postsFailed, { cause: error });
    const posts = readable(data, changelogPost);
    return { posts, total: count ?? from + posts.length };
  });
}

/** No one can see who else likes a post. @param userId  null: a visitor  @throws as `fetchPosts` */
export function fetchLikes(
  postIds: readonly string[],
  userId: string | null,
  signal: AbortSignal,
): Promise<LikesByPost> {
  return inTime(signal, async (limited) => {
    const client = await tables();
    const [counted, own] = await Promise.all([
      client.rpc('changelog_like_counts', { p_posts: postIds }).retry(false).abortSignal(limited),
      userId === null
        ? { data: [], error: null }
        : client
            .from('changelog_post_likes')
            .select('post_id, user_id')
            .in('post_id', postIds)
            .retry(false)
            .abortSignal(limited),
    ]);
    const error = counted.error ?? own.error;
    if (error !== null) throw new Error(error.message || CHANGELOG_MESSAGES.likesFailed, { cause: error });
    const counts = new Map(readable(counted.data, changelogLikeCount).map(({ post_id, likes }) => [post_id, likes]));
    const liked = new Set(
      readable(own.data, changelogLike).flatMap((like) => (like.user_id === userId ? like.post_id : [])),
    );
    return new Map(postIds.map((id) => [id, { count: counts.get(id) ?? 0, isLiked: liked.has(id) }]));
  });
}

/** Adds or removes a like; one that exists already, from another tab, counts as success. @throws Error */
export async function sendLike(postId: string, userId: string, isLiked: boolean): Promise<void> {
  const { error } = await written((client, signal) => {
    const likes = client.from('changelog_post_likes');
    return isLiked
      ? likes.insert({ post_id: postId, user_id: userId }).abortSignal(signal)
      : likes.delete().eq('post_id', postId).eq('user_id', userId).abortSignal(signal);
  });
  if (error !== null && error.code !== DUPLICATE) throw new Error(error.message, { cause: error });
}

/** Publishes immediately. @param failed  message when the server sends none. @throws Error with a message for users */
export async function createPost(content: string, authorId: string, failed: string): Promise<void> {
  const row = { content, author_id: authorId, published_at: new Date().toISOString() };
  const answer = await written(
    (client, signal) => client.from('changelog_posts').insert(row).abortSignal(signal),
    failed,
  );
  refuseWith(answer, CHANGELOG_MESSAGES.adminsPost, failed);
}

/** @returns false when the post no longer exists. @throws as `createPost` */
export async function changePost(postId: string, content: string): Promise<boolean> {
  const failed = CHANGELOG_MESSAGES.saveFailed;
  const answer = await written(
    (client, signal) =>
      client.from('changelog_posts').update({ content }).eq('id', postId).select('id').abortSignal(signal),
    failed,
  );
  refuseWith(answer, CHANGELOG_MESSAGES.adminsPost, failed);
  return (answer.data ?? []).length > 0;
}

/** Deleting an already deleted post counts as success. @throws as `createPost` */
export async function deletePost(postId: string): Promise<void> {
  const failed = CHANGELOG_MESSAGES.deleteFailed;
  const answer = await written(
    (client, signal) => client.from('changelog_posts').delete().eq('id', postId).abortSignal(signal),
    failed,
  );
  refuseWith(answer, CHANGELOG_MESSAGES.adminsDelete, failed);
}

/** @param failed  message when there was no answer */
async function written<T extends Answer>(
  write: (client: Tables, signal: AbortSignal) => PromiseLike<T>,
  failed?: string,
): Promise<T> {
  try {
    return await inTime(new AbortController().signal, async (signal) => write(await tables(), signal));
  } catch (cause) {
    throw new Error(failed ?? 'No answer', { cause });
  }
}

/** Throws with the server's message, if it is meant for users. */
function refuseWith({ error, status }: Answer, rule: string, failed: string): void {
  if (error === null) return;
  const isPolicy = error.code === REFUSED && /policy|permission denied/i.test(error.message);
  const isAnswer = status > 0 && status < 500;
  throw new Error(isPolicy ? rule : (isAnswer && error.message) || failed, { cause: error });
}

function readable<T>(rows: unknown, schema: z.ZodMiniType<T>): T[] {
  return z
    .array(z.unknown())
    .parse(rows ?? [])
    .flatMap((row) => schema.safeParse(row).data ?? []);
}
