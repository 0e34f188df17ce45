/** Gives every request an id (ours, or a well-formed one from a proxy) and writes one line when it is answered. */
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from './log.ts';

const GIVEN_ID = /^[A-Za-z0-9-]{8,64}$/;

export interface RequestVariables {
  requestId: string;
}

export function requestLog(log: Logger): MiddlewareHandler<{ Variables: RequestVariables }> {
  return async (c, next) => {
    const given = c.req.header('x-request-id') ?? '';
    const requestId = GIVEN_ID.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    const startedMs = performance.now();
    await next();
    c.res.headers.set('x-request-id', requestId);
    // The path alone: a query may hold what must not stand in a log.
    const line = { requestId, method: c.req.method, path: c.req.path, status: c.res.status };
    log.debug({ ...line, ms: Math.round(performance.now() - startedMs) }, 'request');
  };
}
