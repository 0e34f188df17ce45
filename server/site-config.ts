/** GET /config.json for the browser, and /dev/clock where TEST_CLOCK=1. */
import { Hono } from 'hono';
import * as z from 'zod/mini';
import type { PublicConfig } from '#domain/config/public-config.ts';
import { AppError } from '#domain/errors/app-error.ts';
import type { ProductClock } from './platform/product-clock.ts';

export interface SiteConfigDeps {
  /** Origin as the browser sees it. */
  origin: (request: Request) => string;
  config: () => Omit<PublicConfig, 'supabaseUrl' | 'clockOffsetMs'>;
  clock: ProductClock;
  hasTestClock: boolean;
}

const TEN_YEARS_MS = 10 * 366 * 24 * 3600 * 1000;
const moveSchema = z.object({ offsetMs: z.number().check(z.gte(-TEN_YEARS_MS), z.lte(TEN_YEARS_MS)) });

export function siteConfigRoutes(deps: SiteConfigDeps): Hono {
  const app = new Hono();
  app.get('/config.json', (c) => {
    const body: PublicConfig = {
      ...deps.config(),
      supabaseUrl: deps.origin(c.req.raw),
      clockOffsetMs: deps.clock.offsetMs,
    };
    return c.json(body, 200, { 'cache-control': 'no-store' });
  });
  if (deps.hasTestClock) {
    app.get('/dev/clock', (c) => c.json({ nowMs: deps.clock.nowMs(), offsetMs: deps.clock.offsetMs }));
    app.post('/dev/clock', async (c) => {
      const parsed = moveSchema.safeParse(await c.req.json().catch(() => null));
      if (!parsed.success) throw new AppError('request/invalid', { details: { parameter: 'offsetMs' } });
      deps.clock.moveTo(parsed.data.offsetMs);
      return c.json({ nowMs: deps.clock.nowMs(), offsetMs: deps.clock.offsetMs });
    });
  }
  return app;
}
