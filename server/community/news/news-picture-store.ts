import { asOwner, type Database } from '../../platform/database/database.ts';
import type { FeedKind } from '../../platform/feeds/feed-store.ts';

export interface MissingPicture {
  articleId: string;
  /** At its publisher. */
  url: string;
}

export interface NewsPictureStore {
  /** The newest articles, newest first, whose picture we have not stored yet. */
  missing(limit: number): Promise<MissingPicture[]>;
  /** Stores it and sets its path on the article. Does nothing if the article has been deleted. */
  put(articleId: string, webp: Buffer): Promise<void>;
  /** Records a failed fetch: it is tried again after growing waits, up to a maximum number of tries. */
  failed(articleId: string): Promise<void>;
  /** Deletes the pictures of all but the newest articles. */
  prune(): Promise<void>;
  /** Null: there is no such picture. @param name  a uuid */
  get(name: string): Promise<Buffer<ArrayBuffer> | null>;
}

const MAX_PICTURES = 60;
/** Waits of a minute, ten, a hundred, then six hours: more than a day in all. */
const MAX_TRIES = 8;
const nextTry = "now() + least(interval '6 hours', interval '1 minute' * 10 ^ picture_tries)";

export function newsPictureStore(database: Database, kind: FeedKind): NewsPictureStore {
  const queries = asOwner(database);
  const newest = `select id, published_at from public.news_articles where kind = $1::text order by published_at desc, id limit ${MAX_PICTURES}`;
  return {
    async missing(limit) {
      const rows = await queries.query<{ id: string; picture_url: string }>(
        `select n.id, s.picture_url from (${newest}) n join private.news_sources s on s.article_id = n.id
          where s.picture_url is not null and s.picture_tries < ${MAX_TRIES} and s.picture_due_at <= now()
            and not exists (select from private.news_pictures p where p.article_id = n.id)
          order by n.published_at desc, n.id limit $2::int`,
        [kind, limit],
      );
      return rows.map(({ id, picture_url: url }) => ({ articleId: id, url }));
    },
    async put(articleId, webp) {
      await queries.query(
        `with kept as (
           insert into private.news_pictures (article_id, webp)
           select id, decode($2::text, 'base64') from public.news_articles where id = $1::text::uuid
           on conflict (article_id) do update set webp = excluded.webp, name = excluded.name
           returning article_id, name)
         update public.news_articles a set image_url = '/news/images/' || k.name || '.webp'
           from kept k where a.id = k.article_id`,
        [articleId, webp.toString('base64')],
      );
    },
    async failed(articleId) {
      await queries.query(
        `update private.news_sources set picture_tries = picture_tries + 1, picture_due_at = ${nextTry}
          where article_id = $1::text::uuid`,
        [articleId],
      );
    },
    async prune() {
      await queries.query(
        `with gone as (
           delete from private.news_pictures where article_id not in (select id from (${newest}) n) returning article_id)
         update public.news_articles set image_url = null where id in (select article_id from gone)`,
        [kind],
      );
    },
    async get(name) {
      const [row] = await queries.query<{ webp: string }>(
        `select encode(webp, 'base64') as webp from private.news_pictures where name = $1::text::uuid`,
        [name],
      );
      return row === undefined ? null : Buffer.from(row.webp, 'base64');
    },
  };
}
