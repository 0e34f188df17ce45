/** News as a server has them: a collector, feeds of the test's own on loopback, one database, the backend's protocol. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import { openFeedReader } from '../../../../server/community/news/feed-thread.ts';
import { type NewsOptions, newsCollector } from '../../../../server/community/news/news-collector.ts';
import { openNews } from '../../../../server/community/news.ts';
import { asOwner, type Row } from '../../../../server/platform/database/database.ts';
import { type TestDatabaseKind, testLog } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';
import { NO_COMMUNITY } from '../../../support/servers/no-community.ts';
import { type BackendTestServer, backendTestServer } from '../backend.ts';

export interface FeedRequest {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** What an address of the test's publisher returns; a function may depend on the request. */
export type Page = (request: FeedRequest) => {
  status?: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
} | null;

export interface NewsWorld {
  server: BackendTestServer;
  /** By path; an unknown path is 404, and one that says null never answers. */
  pages: Map<string, Page>;
  requests: FeedRequest[];
  /** The product's time. */
  time: { ms: number };
  /** One round now, whatever is due. @param paths  the feeds in the settings, each named after its path */
  collect(paths: readonly string[], options?: Partial<NewsOptions>): Promise<void>;
  open(paths: readonly string[], options?: Partial<NewsOptions>): ReturnType<typeof openNews>;
  query(text: string): Promise<Row[]>;
  /** Titles, newest first. */
  titles(): Promise<unknown[]>;
  close(): Promise<void>;
}

export function newsWorldForTests(kind: TestDatabaseKind): () => NewsWorld {
  const opened = openedForTests(() => startNewsWorld(kind));
  afterEach(async () => {
    const { pages, requests, query } = opened();
    pages.clear();
    requests.length = 0;
    opened().time.ms = Date.now();
    for (const table of ['public.news_articles', 'private.news_feeds', 'private.news_takedowns', 'private.jobs'])
      await query(`delete from ${table}`);
  });
  return opened;
}

async function startNewsWorld(kind: TestDatabaseKind): Promise<NewsWorld> {
  const server = await backendTestServer(kind);
  const pages = new Map<string, Page>();
  const requests: FeedRequest[] = [];
  const time = { ms: Date.now() };
  const publisher = createServer((request, response) => {
    const one = { path: request.url ?? '', headers: request.headers };
    requests.push(one);
    const page = pages.get(one.path);
    const answer = page === undefined ? { status: 404 } : page(one);
    if (answer === null) return;
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body);
  });
  await new Promise<void>((done) => publisher.listen(0, '127.0.0.1', done));
  const { port } = publisher.address() as AddressInfo;
  const reader = openFeedReader();
  const queries = asOwner(server.database);
  const query = (text: string) => queries.query(text);

  const optionsOf = (paths: readonly string[], options: Partial<NewsOptions>): NewsOptions => {
    const newsFeeds = paths.map((path) => ({ name: `Feed ${path.slice(1)}`, url: `http://127.0.0.1:${port}${path}` }));
    return {
      source: { ...NO_COMMUNITY, addresses: { ...NO_COMMUNITY.addresses, newsFeeds } },
      database: server.database,
      clock: { nowMs: () => time.ms },
      log: testLog,
      reader,
      ...options,
    };
  };

  return {
    server,
    pages,
    requests,
    time,
    async collect(paths, options = {}) {
      await query("update private.news_feeds set next_due_at = now() - interval '1 s'");
      await query("update private.news_sources set picture_due_at = now() - interval '1 s'");
      await newsCollector(optionsOf(paths, options)).collect(AbortSignal.timeout(60_000));
    },
    open: (paths, options = {}) => openNews(optionsOf(paths, options)),
    query,
    async titles() {
      const rows = await query('select title from public.news_articles order by published_at desc, title');
      return rows.map((row) => row.title);
    },
    async close() {
      await reader.close();
      publisher.closeAllConnections();
      await new Promise<void>((done) => publisher.close(() => done()));
      await server.close();
    },
  };
}

export interface RssItem {
  title: string;
  link: string;
  guid?: string;
  /** Absent: no date. */
  dateMs?: number;
  description?: string;
  picture?: string;
}

export function rssFeed(items: readonly RssItem[]): string {
  const texts = items.map(
    ({
      title,
      link,
      guid,
      dateMs,
      description,
      picture,
    }) => `<item><title><![CDATA[${title}]]></title><link>${link}</link>
${guid === undefined ? '' : `<guid isPermaLink="false">${guid}</guid>`}
${dateMs === undefined ? '' : `<pubDate>${new Date(dateMs).toUTCString()}</pubDate>`}
${description === undefined ? '' : `<description><![CDATA[${description}]]></description>`}
${picture === undefined ? '' : `<media:content url="${picture}" medium="image"/>`}</item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title>
${texts.join('\n')}</channel></rss>`;
}
