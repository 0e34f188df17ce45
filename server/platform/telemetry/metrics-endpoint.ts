/** /metrics: on the site's port for clients with the token, or on a separate port. Never public. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { errorResponse, isOurFault, onlyMethods } from '../http/calls/http-errors.ts';
import { listen } from '../http/listen.ts';
import type { Logger } from './log.ts';
import { TEXT_TYPE } from './metrics.ts';

const PATH = '/metrics';

/** @param token  null if the port is reserved for metrics */
export function metricsRoutes(text: () => Promise<string>, token: string | null): Hono {
  const app = new Hono();
  app.get(PATH, async (c) => {
    if (token !== null && !isSame(c.req.header('authorization') ?? '', `Bearer ${token}`))
      return c.json({ error: 'The token is missing or wrong.', code: 'auth/bad-token' }, 401, {
        'www-authenticate': 'Bearer',
        'cache-control': 'no-store',
      });
    return c.text(await text(), 200, { 'content-type': TEXT_TYPE, 'cache-control': 'no-store' });
  });
  app.all(PATH, onlyMethods('GET', 'HEAD'));
  return app;
}

/** @throws Error with code EADDRINUSE when the port is taken */
export async function openMetricsEndpoint(
  address: { host: string; port: number },
  routes: Hono,
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> {
  const app = new Hono().route('/', routes);
  app.notFound(() => errorResponse(new AppError('request/not-found')));
  app.onError((error) => {
    if (isOurFault(error)) log.error({ err: error }, 'the metrics could not be read');
    return errorResponse(error);
  });
  const server = await listen(app.fetch, address, log);
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function isSame(token: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(token), digest(wanted));
}
