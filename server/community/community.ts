/** Opens news, community counters and the changelog's feed. A failing service affects no other, nor the server. */
import type { Hono } from 'hono';
import { changelogStore } from './changelog/changelog-store.ts';
import { changelogFeed } from './changelog-feed.ts';
import type { CommunityOptions } from './community-source.ts';
import { openCounters } from './counters.ts';
import { openNews } from './news.ts';

export interface Community {
  routes: readonly Hono[];
  /** Resolves once no news of the other kind is left. Bounded in time, and never fails. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** @param options.origin  of the site as a request's sender sees it */
export function openCommunity(options: CommunityOptions & { origin(request: Request): string }): Community {
  const { database, clock, log, origin } = options;
  const [news, counters] = [openNews(options), openCounters(options)];
  const feed = changelogFeed({ store: changelogStore(database), clock, log, origin });
  return {
    ready: news.ready,
    routes: [news.routes, counters.routes, feed],
    async close() {
      await Promise.all([news.close(), counters.close()]);
    },
  };
}
