/** News: one process collects the feeds on a schedule, all read them from the database, and we serve their pictures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { onlyMethods } from '../platform/http/calls/http-errors.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { startJob } from '../platform/processes/schedule.ts';
import { type NewsOptions, newsCollector, POLL_MS } from './news/news-collector.ts';
import { type NewsPictureStore, newsPictureStore } from './news/news-picture-store.ts';

export interface News {
  /** GET /news/images/<name>.webp. */
  routes: Hono;
  /** Resolves once no news of the other kind is left, or the database has not answered in time. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Feeds take 5 s in parallel, parsing 2 s, pictures 24 times 5 s, four at a time; the rest is for a slow machine. */
const RUN_LIMIT_MS = 90_000;
/** A start waits no longer; the first round does the rest. */
const TAKE_OVER_LIMIT_MS = 5000;

export function openNews(options: NewsOptions): News {
  const { source, database, log } = options;
  const collector = newsCollector(options);
  // All processes read the table: no sample may appear there as live, even before the first answer.
  const tookOver = collector.tidy().catch((error: unknown) => {
    // The database may be restarting; each round tries again.
    log.warn({ err: error }, 'articles of another market kind could not be removed');
  });
  const job = startJob({
    name: `${source.kind}:news`,
    periodMs: POLL_MS,
    limitMs: RUN_LIMIT_MS,
    store: jobStore(database),
    log,
    async run(signal) {
      await tookOver;
      return collector.collect(signal);
    },
  });
  return {
    ready: Promise.race([tookOver, sleep(TAKE_OVER_LIMIT_MS, undefined, { ref: false })]),
    routes: newsRoutes({ pictures: newsPictureStore(database, source.kind) }),
    async close() {
      await Promise.all([tookOver, job.close()]);
    },
  };
}

/** Runs one round if there is no news yet: for the demo, before a server runs on the database. */
export async function seedNews(options: NewsOptions): Promise<void> {
  const collector = newsCollector(options);
  await collector.tidy();
  if ((await collector.count()) === 0) await collector.collect(AbortSignal.timeout(RUN_LIMIT_MS));
}

const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/;
/** An article's picture never changes; after a take-down it leaves browsers within this time. */
const CACHED_S = 7 * 86_400;

export function newsRoutes({ pictures }: { pictures: Pick<NewsPictureStore, 'get'> }): Hono {
  return new Hono()
    .get('/news/images/:name', async (c) => {
      const name = NAME.exec(c.req.param('name'))?.[1];
      const webp = name === undefined ? null : await pictures.get(name);
      if (webp === null) throw new AppError('request/not-found');
      return c.body(webp, 200, {
        'content-type': 'image/webp',
        'cache-control': `public, max-age=${CACHED_S}, immutable`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      });
    })
    .all('/news/images/:name', onlyMethods('GET', 'HEAD'));
}
