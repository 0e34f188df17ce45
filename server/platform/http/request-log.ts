/** One log line for each answered request, under the request's id. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from '../telemetry/log.ts';
import { withRequestId } from '../telemetry/request-id.ts';

const VALID_ID = /^[A-Za-z0-9-]{8,64}$/;

/** Monitoring calls these every few seconds; their log lines would hide all others. */
export const HEALTH_CHECKS = new Set(['/healthz', '/readyz']);

/** Gives every request an id (ours, or a valid one from a proxy), and one log line once it is answered. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const header = c.req.header('x-request-id') ?? '';
    const requestId = VALID_ID.test(header) ? header : randomUUID();
    const startedMs = performance.now();
    await withRequestId(requestId, async () => {
      await next();
      c.res.headers.set('x-request-id', requestId);
      // Only the path, because a query may hold secrets.
      const line = { method: c.req.method, path: c.req.path, status: c.res.status };
      const level = HEALTH_CHECKS.has(c.req.path) ? 'debug' : 'info';
      log[level]({ ...line, ms: Math.round(performance.now() - startedMs) }, 'request');
    });
  };
}
