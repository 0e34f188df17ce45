/** News: collected from the feeds by one process on a schedule, read by all from the database; their pictures by us. */
import { Hono } from 'hono';
import type { CommunityOptions } from './community.ts';

export interface News {
  /** GET /news/images/<id>. */
  routes: Hono;
  close(): Promise<void>;
}

export function openNews(_options: CommunityOptions): News {
  return { routes: new Hono(), close: async () => undefined };
}
