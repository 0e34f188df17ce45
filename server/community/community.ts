/** News and community counters, opened together. A service that fails takes down neither the others nor the server. */
import type { Hono } from 'hono';
import type { CommunityOptions } from './community-options.ts';
import { openCounters } from './counters.ts';
import { openNews } from './news.ts';

export interface Community {
  routes: readonly Hono[];
  /** Before anyone reads: no news of the other kind is left. Bounded in time, and never fails. */
  ready: Promise<void>;
  close(): Promise<void>;
}

export function openCommunity(options: CommunityOptions): Community {
  const [news, counters] = [openNews(options), openCounters(options)];
  return {
    ready: news.ready,
    routes: [news.routes, counters.routes],
    async close() {
      await Promise.all([news.close(), counters.close()]);
    },
  };
}
