/** One collecting round: removes expired articles, fetches all due feeds in parallel, then fetches pictures. */
import { workQueue } from '../../platform/one-at-a-time.ts';
import { type GuardedFetch, guardedFetch } from '../../platform/outbound/guarded-fetch.ts';
import type { CommunityOptions } from '../community-source.ts';
import { collectFeed } from './collect-feed.ts';
import { collectPictures } from './collect-pictures.ts';
import { type FeedReader, openFeedReader } from './feed-thread.ts';
import { newsFeedStore } from './news-feed-store.ts';
import { newsPictureStore } from './news-picture-store.ts';
import { type NewsStore, newsStore } from './news-store.ts';

export interface NewsOptions extends CommunityOptions {
  /** Period of each feed; default ten minutes, in the sandbox one. */
  periodMs?: number;
  fetch?: GuardedFetch;
  /** Set by tests and open for many rounds. By default each round opens and closes one. */
  reader?: FeedReader;
  random?: () => number;
}

export interface NewsCollector {
  /** Never adds; see NewsStore. */
  tidy(): Promise<void>;
  /** @returns the time until the next useful round */
  collect(signal: AbortSignal): Promise<{ nextInMs: number }>;
  count(): Promise<number>;
}

const PERIOD_MS = 600_000;
const SANDBOX_PERIOD_MS = 60_000;
/** Between two checks for due feeds. Removals wait for it too. */
export const POLL_MS = 60_000;
const SHORTEST_POLL_MS = 1000;

export function newsCollector(options: NewsOptions): NewsCollector {
  const { source, database, clock, log, random = Math.random } = options;
  const { kind } = source;
  const isLive = kind === 'live';
  const newsFeeds = source.addresses.newsFeeds.map(({ name, url }) => ({
    name,
    key: isLive ? url : new URL(url).pathname,
    address: url,
  }));
  const fetch = options.fetch ?? guardedFetch({ reach: isLive ? 'public' : 'loopback' });
  const periodMs = options.periodMs ?? (isLive ? PERIOD_MS : SANDBOX_PERIOD_MS);
  const articles = newsStore(database, kind);
  const feeds = newsFeedStore(database, kind);
  const pictures = newsPictureStore(database, kind);

  async function tidy() {
    const removed = await articles.tidy(newsFeeds, clock.nowMs());
    if (removed > 0) log.info({ removed }, 'news articles removed');
  }

  return {
    tidy,
    count: articles.count,
    async collect(signal) {
      await tidy();
      const states = await feeds.states(newsFeeds.map(({ key }) => key));
      const reader = options.reader ?? openFeedReader();
      // Two feeds may bring the same address at the same time, so writes are serialized.
      const writing = workQueue({ maxWaiting: newsFeeds.length });
      const inTurn: Pick<NewsStore, 'put'> = { put: (...args) => writing.run(() => articles.put(...args)) };
      const deps = { articles: inTurn, feeds, fetch, reader, clock, log, periodMs, random };
      const collecting = newsFeeds.map((feed, i) => {
        const state = states[i];
        return state === undefined || state.waitMs > 0 ? null : collectFeed(deps, feed, state, signal);
      });
      // No request is left running after the round, since another process may start the next one.
      const outcomes = await Promise.allSettled(collecting);
      if (options.reader === undefined) await reader.close();
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      await collectPictures({ store: pictures, fetch, log }, signal);
      const waits = states.map(({ waitMs }) => (waitMs > 0 ? waitMs : POLL_MS));
      return { nextInMs: Math.max(SHORTEST_POLL_MS, Math.min(POLL_MS, ...waits)) };
    },
  };
}
