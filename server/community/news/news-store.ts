/** Articles in the database, one row per address. The process that adds articles also removes expired ones. */
import { asOwner, type Database } from '../../platform/database/database.ts';
import type { FeedKind } from '../../platform/feeds/feed-store.ts';
import type { FeedItem } from './read-feed.ts';

export interface NewsFeed {
  /** Shown as its articles' site. */
  name: string;
  /** Key in the database: its address, or its path in the sandbox, whose port changes. */
  key: string;
  address: string;
}

export interface NewsStore {
  /**
   * Of the other kind, unlisted feeds, older than 30 days or taken down. Also the state of those feeds, so that a feed
   * listed again is read in full. @returns articles removed
   */
  tidy(feeds: readonly NewsFeed[], nowMs: number): Promise<number>;
  /**
   * An article in two feeds belongs to the first. A date only ever moves back; a picture may be added later, and stays.
   * @param items each address and each guid once, see `currentItems`
   */
  put(feed: NewsFeed, items: readonly DatedItem[], nowMs: number): Promise<void>;
  count(): Promise<number>;
}

const DAY_MS = 86_400_000;
const RETENTION_MS = 30 * DAY_MS;

/** @param url  an SQL expression: an https address */
const isTakenDown = (url: string) => `exists (
  select from private.news_takedowns t, lower(substring(${url} from '^https://([^/?#:]+)')) as host
   where t.pattern = ${url} or t.pattern = host or host like '%.' || t.pattern)`;

export function newsStore(database: Database, kind: FeedKind): NewsStore {
  const queries = asOwner(database);
  return {
    async tidy(feeds, nowMs) {
      const list = JSON.stringify(feeds);
      await queries.query(
        `delete from private.news_feeds
          where kind <> $1::text or url not in (select key from jsonb_to_recordset($2::jsonb) as f (key text))`,
        [kind, list],
      );
      await queries.query(
        `update public.news_articles a set site = f.name
           from private.news_sources s
           join jsonb_to_recordset($1::jsonb) as f (name text, key text) on f.key = s.feed_url
          where a.id = s.article_id and a.site <> f.name`,
        [list],
      );
      const removed = await queries.query(
        `delete from public.news_articles a
          where a.kind <> $1::text
             or a.published_at not between $3::text::timestamptz and $4::text::timestamptz
             or exists (select from private.news_sources s where s.article_id = a.id
                         and s.feed_url not in (select key from jsonb_to_recordset($2::jsonb) as f (key text)))
             or ${isTakenDown('a.url')}
         returning 1`,
        // The product's clock may have been set back: articles dated more than a day ahead are stale.
        [kind, list, isoOf(nowMs - RETENTION_MS), isoOf(nowMs + DAY_MS)],
      );
      return removed.length;
    },
    async put(feed, items, nowMs) {
      const rows = items.map(({ title, url, guid, summary, publishedMs, pictureUrl }) => ({
        title,
        url,
        guid,
        body: summary,
        published_at: isoOf(publishedMs),
        picture_url: pictureUrl,
      }));
      await queries.query(
        `with given as (
           select * from jsonb_to_recordset($1::jsonb)
             as r (title text, url text, guid text, body text, published_at timestamptz, picture_url text)
            where not ${isTakenDown('url')}),
         known as (
           select g.*, coalesce(by_url.id, by_guid.article_id) as id from given g
             left join public.news_articles by_url on by_url.url = g.url
             left join private.news_sources by_guid on by_guid.feed_url = $2::text and by_guid.guid = g.guid),
         changed as (
           update public.news_articles a
              set title = k.title, url = k.url, body = k.body, site = $3::text,
                  published_at = least(a.published_at, k.published_at)
             from known k join private.news_sources s on s.article_id = k.id and s.feed_url = $2::text
            where a.id = k.id
              and ((a.title, a.url, a.body, a.site) is distinct from (k.title, k.url, k.body, $3::text)
                   or k.published_at < a.published_at)),
         pictured as (
           update private.news_sources s
              set picture_url = k.picture_url, picture_tries = 0, picture_due_at = now()
             from known k
            where s.article_id = k.id and s.feed_url = $2::text
              and s.picture_url is null and k.picture_url is not null),
         added as (
           insert into public.news_articles (title, url, body, site, published_at, first_seen_at, kind)
           select title, url, body, $3::text, published_at, $4::text::timestamptz, $5::text
             from known where id is null
           on conflict (url) do nothing
           returning id, url)
         insert into private.news_sources (article_id, feed_url, guid, picture_url)
         select a.id, $2::text, g.guid, g.picture_url from added a join given g on g.url = a.url`,
        [JSON.stringify(rows), feed.key, feed.name, isoOf(nowMs), kind],
      );
    },
    async count() {
      const [row] = await queries.query<{ rows: number }>(
        'select count(*)::int as rows from public.news_articles where kind = $1::text',
        [kind],
      );
      return row?.rows ?? 0;
    },
  };
}

export type DatedItem = FeedItem & { publishedMs: number };

/** A place behind an article. */
const BEHIND_MS = 1000;

/**
 * Selects a feed's items to store: the first of each address and guid, from the last 30 days, none in the future. An
 * article without a date must not lead the news: it is placed behind the next one in its feed, or behind a day's news.
 */
export function currentItems(items: readonly FeedItem[], nowMs: number): DatedItem[] {
  const seen = new Set<string>();
  return items.flatMap((item, i) => {
    const names = [item.url, ...(item.guid === null ? [] : [`guid ${item.guid}`])];
    const publishedMs = item.publishedMs ?? (neighbourMs(items, i) ?? nowMs - DAY_MS) - BEHIND_MS;
    if (publishedMs < nowMs - RETENTION_MS || names.some((name) => seen.has(name))) return [];
    for (const name of names) seen.add(name);
    return [{ ...item, publishedMs: Math.min(publishedMs, nowMs) }];
  });
}

/** Date of the next item with one, since feeds begin with the newest; at the end, of the last before. */
function neighbourMs(items: readonly FeedItem[], i: number): number | null {
  const isDated = ({ publishedMs }: FeedItem) => publishedMs !== null;
  return (items.slice(i).find(isDated) ?? items.slice(0, i).findLast(isDated))?.publishedMs ?? null;
}

function isoOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
