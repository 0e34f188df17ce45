/** GET /config.json for the browser, and /dev/clock where DEVELOPMENT=clock. */

import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { ChatConfig } from '#domain/chat/chat-config.ts';
import type { PublicConfig } from '#domain/config/public-config.ts';
import type { PushConfig } from '#domain/push/push-config.ts';
import { answerRoute } from '../platform/http/calls/contract-route.ts';
import { invalidParameter, onlyMethods } from '../platform/http/calls/http-errors.ts';
import { readJsonBody, requireJsonType } from '../platform/http/calls/request-body.ts';
import type { ProductClock } from '../platform/product-clock.ts';

export type OwnConfig = Omit<PublicConfig, 'supabaseUrl' | 'clockOffsetMs'>;

export interface SiteConfigDeps {
  origin: (request: Request) => string;
  config: () => OwnConfig | Promise<OwnConfig>;
  push: PushConfig;
  chat: ChatConfig;
  clock: ProductClock;
  hasTestClock: boolean;
}

const TEN_YEARS_MS = 10 * 366 * 24 * 3600 * 1000;
/** `{"offsetMs": number}` with room to spare. */
const MAX_MOVE_BYTES = 1024;
const moveSchema = z.object({ offsetMs: z.number().check(z.gte(-TEN_YEARS_MS), z.lte(TEN_YEARS_MS)) });

export function siteConfigRoutes(deps: SiteConfigDeps): Hono {
  const app = new Hono();
  answerRoute(app, '/config.json', async (c) => {
    const body: PublicConfig & { push: PushConfig; chat: ChatConfig } = {
      ...(await deps.config()),
      supabaseUrl: deps.origin(c.req.raw),
      clockOffsetMs: deps.clock.offsetMs,
      push: deps.push,
      chat: deps.chat,
    };
    return c.json(body, 200, { 'cache-control': 'no-store' });
  });
  if (deps.hasTestClock) {
    app.get('/dev/clock', (c) => c.json({ nowMs: deps.clock.nowMs(), offsetMs: deps.clock.offsetMs }));
    app.post('/dev/clock', async (c) => {
      requireJsonType(c.req.raw);
      const parsed = moveSchema.safeParse(await readJsonBody(c.req.raw, MAX_MOVE_BYTES));
      if (!parsed.success) throw invalidParameter('offsetMs', 'invalid');
      deps.clock.moveTo(parsed.data.offsetMs);
      return c.json({ nowMs: deps.clock.nowMs(), offsetMs: deps.clock.offsetMs });
    });
    app.all('/dev/clock', onlyMethods('GET', 'HEAD', 'POST'));
  }
  return app;
}
