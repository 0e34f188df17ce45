/** Reads the newest posts as a visitor would: row-level security decides which are published. */
import * as z from 'zod/mini';
import type { Database, DatabaseCaller } from '../../platform/database/database.ts';

export interface FeedPost {
  id: string;
  content: string;
  publishedMs: number;
  /** Time of the last edit, or of publication if that is later. */
  updatedMs: number;
}

export interface ChangelogStore {
  /** A text that changes when a listed post is added, edited, removed or published. Reads no content. */
  state(): Promise<string>;
  /** Newest first, at most `FEED_POSTS`. */
  newest(): Promise<FeedPost[]>;
}

export const FEED_POSTS = 50;

const VISITOR: DatabaseCaller = { role: 'anon', claims: null };
const NEWEST = `from public.changelog_posts where published_at is not null
  order by published_at desc nulls last, created_at desc limit ${FEED_POSTS}`;

const stateRow = z.object({ state: z.string() });
const postRow = z.object({
  id: z.string(),
  content: z.string(),
  published_at: z.string(),
  updated_at: z.string(),
});

export function changelogStore(database: Database): ChangelogStore {
  return {
    async state() {
      const rows = await database.query(
        VISITOR,
        `select coalesce(md5(string_agg(concat_ws(' ', id, published_at, updated_at), ',')), '') as state
           from (select id, published_at, updated_at ${NEWEST}) newest`,
      );
      return stateRow.parse(rows[0]).state;
    },
    async newest() {
      const rows = await database.query(VISITOR, `select id, content, published_at, updated_at ${NEWEST}`);
      return z.array(postRow).parse(rows).map(feedPost);
    },
  };
}

function feedPost({ id, content, published_at, updated_at }: z.infer<typeof postRow>): FeedPost {
  const publishedMs = Date.parse(published_at);
  return { id, content, publishedMs, updatedMs: Math.max(publishedMs, Date.parse(updated_at)) };
}
