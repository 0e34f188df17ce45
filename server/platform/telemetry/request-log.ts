/** Gives every request an id (ours, or a well-formed one from a proxy) and writes one line when it is answered. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { withRequestId } from '../http/calls/request-id.ts';
import type { Logger } from './log.ts';

const GIVEN_ID = /^[A-Za-z0-9-]{8,64}$/;
/** Asked every few seconds, by address, by whoever watches the process: their lines would hide all others. */
export const HEALTH_CHECKS = new Set(['/healthz', '/readyz']);

/** Lines that others write while they answer the request carry its id too: see log.ts. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.header('x-request-id') ?? '';
    const requestId = GIVEN_ID.test(given) ? given : randomUUID();
    const startedMs = performance.now();
    await withRequestId(requestId, async () => {
      await next();
      c.res.headers.set('x-request-id', requestId);
      // The path alone: a query may hold what must not stand in a log.
      const line = { method: c.req.method, path: c.req.path, status: c.res.status };
      const level = HEALTH_CHECKS.has(c.req.path) ? 'debug' : 'info';
      log[level]({ ...line, ms: Math.round(performance.now() - startedMs) }, 'request');
    });
  };
}
