import { inTime } from '../../../platform/calls/time-limit.ts';
import { tables } from '../../../platform/supabase.ts';
import { isPublished, type PublishedPost, type SeenPost } from './seen.ts';

/** Posts that only admins see may come before the newest published one. */
const NEWEST_LIMIT = 5;

/** @returns null when nothing is published. @throws Error */
export function fetchNewest(signal: AbortSignal): Promise<PublishedPost | null> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await tables())
      .from('changelog_posts')
      .select('id, published_at, created_at')
      .not('published_at', 'is', null)
      .order('published_at', { ascending: false })
      .order('created_at', { ascending: false })
      .limit(NEWEST_LIMIT)
      .abortSignal(limited);
    if (error !== null) throw new Error(error.message, { cause: error });
    return rowsOf(data).find(isPost) ?? null;
  });
}

/** @returns null for a user who has never opened the change log. @throws Error */
export function fetchSeen(userId: string, signal: AbortSignal): Promise<SeenPost | null> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await tables())
      .from('user_changelog_state')
      .select('last_seen_post_id, last_seen_published_at')
      .eq('user_id', userId)
      .abortSignal(limited);
    if (error !== null) throw new Error(error.message, { cause: error });
    const [row] = rowsOf(data);
    const { last_seen_post_id: id, last_seen_published_at: publishedAt } = row ?? {};
    return typeof id === 'string' && typeof publishedAt === 'string' ? { id, published_at: publishedAt } : null;
  });
}

export async function writeSeen(userId: string, post: SeenPost): Promise<void> {
  const row = { user_id: userId, last_seen_post_id: post.id, last_seen_published_at: post.published_at };
  const { error } = await inTime(new AbortController().signal, async (signal) =>
    (await tables()).from('user_changelog_state').upsert(row, { onConflict: 'user_id' }).abortSignal(signal),
  );
  if (error !== null) throw new Error(error.message, { cause: error });
}

/** Parsed by hand: loading the validation library on every page for two dots is not worth it. */
function rowsOf(data: unknown): Record<string, unknown>[] {
  return Array.isArray(data) ? data.filter((row) => typeof row === 'object' && row !== null) : [];
}

function isPost(row: Record<string, unknown>): row is Record<string, unknown> & PublishedPost {
  const { id, created_at, published_at } = row;
  return (
    typeof id === 'string' &&
    typeof created_at === 'string' &&
    typeof published_at === 'string' &&
    isPublished({ created_at, published_at }, Date.now())
  );
}
