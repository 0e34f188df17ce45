/** Each feed's state, and when it is due: one dead feed neither stops nor slows the others. */
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { FeedKind } from '../../platform/feeds/feed-store.ts';

/** Of the last good answer, for conditional requests. */
export interface FeedTags {
  etag: string | null;
  lastModified: string | null;
}

export interface NewsFeedState extends FeedTags {
  key: string;
  failures: number;
  /** Time until it is due; 0: now. */
  waitMs: number;
}

export interface NewsFeedStore {
  /** In the given order; a feed never requested is due. */
  states(keys: readonly string[]): Promise<NewsFeedState[]>;
  /** @param key  see NewsFeed. @param tags  of a new answer; null: the feed has not changed */
  answered(key: string, tags: FeedTags | null, nextInMs: number): Promise<void>;
  /** @param code  the failure as a short code */
  failed(key: string, code: string, nextInMs: number): Promise<void>;
}

/** Longer tags are ignored; the feed is then sent again in full. */
const LONGEST_ETAG = 500;
const LONGEST_DATE = 100;

export function newsFeedStore(database: Database, kind: FeedKind): NewsFeedStore {
  const queries = asOwner(database);
  return {
    async states(keys) {
      const rows = await queries.query<{
        key: string;
        etag: string | null;
        last_modified: string | null;
        failures: number | null;
        wait_ms: number | null;
      }>(
        `select f.key, s.etag, s.last_modified, s.failures,
                (extract(epoch from s.next_due_at - now()) * 1000)::float8 as wait_ms
           from jsonb_array_elements_text($1::jsonb) with ordinality as f (key, nth)
           left join private.news_feeds s on s.kind = $2::text and s.url = f.key
          order by f.nth`,
        [JSON.stringify(keys), kind],
      );
      return rows.map(({ key, etag, last_modified, failures, wait_ms }) => ({
        key,
        etag,
        lastModified: last_modified,
        failures: failures ?? 0,
        waitMs: Math.max(0, wait_ms ?? 0),
      }));
    },
    async answered(key, tags, nextInMs) {
      await queries.query(
        `insert into private.news_feeds as f (kind, url, etag, last_modified, next_due_at, last_ok_at, answers)
         values ($1::text, $2::text, $3::text, $4::text, now() + make_interval(secs => $5::float8 / 1000), now(), 1)
         on conflict (kind, url) do update
           set next_due_at = excluded.next_due_at, last_ok_at = now(), last_error = null, failures = 0,
               etag = case when $6::boolean then f.etag else excluded.etag end,
               last_modified = case when $6::boolean then f.last_modified else excluded.last_modified end,
               answers = f.answers + case when $6::boolean then 0 else 1 end,
               unchanged = f.unchanged + case when $6::boolean then 1 else 0 end`,
        [
          kind,
          key,
          atMost(tags?.etag ?? null, LONGEST_ETAG),
          atMost(tags?.lastModified ?? null, LONGEST_DATE),
          nextInMs,
          tags === null,
        ],
      );
    },
    async failed(key, code, nextInMs) {
      await queries.query(
        `insert into private.news_feeds as f (kind, url, next_due_at, last_error, failures, failed)
         values ($1::text, $2::text, now() + make_interval(secs => $4::float8 / 1000), left($3::text, 100), 1, 1)
         on conflict (kind, url) do update
           set next_due_at = excluded.next_due_at, last_error = excluded.last_error,
               failures = f.failures + 1, failed = f.failed + 1`,
        [kind, key, code, nextInMs],
      );
    },
  };
}

function atMost(text: string | null, length: number): string | null {
  return text === null || text.length > length ? null : text;
}
