/** The log: one JSON line for each event and each answered request, with the ids of the request and its trace. Secrets are removed: log-cleaning.ts. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import pino, { type DestinationStream, type Logger } from 'pino';
import { cleanFields, cleanLine } from './log-cleaning.ts';
import { currentTraceId } from './steps.ts';

export type { Logger } from 'pino';

/** @param destination  default: standard output */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    mixin: () => {
      const requestId = currentRequestId();
      const traceId = currentTraceId();
      return { ...(requestId === undefined ? {} : { requestId }), ...(traceId === undefined ? {} : { traceId }) };
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: cleanFields, bindings: cleanFields },
    // Errors are already plain objects when serializers run.
    serializers: { err: (cleaned: unknown) => cleaned },
    hooks: { streamWrite: cleanLine },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

const GIVEN_ID = /^[A-Za-z0-9-]{8,64}$/;
/** Monitoring calls these every few seconds; their log lines would hide all others. */
export const HEALTH_CHECKS = new Set(['/healthz', '/readyz']);

/** Gives every request an id (ours, or a valid one from a proxy), and one log line once it is answered. */
export function requestLog(log: Logger): MiddlewareHandler {
  return async (c, next) => {
    const given = c.req.header('x-request-id') ?? '';
    const requestId = GIVEN_ID.test(given) ? given : randomUUID();
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

const requests = new AsyncLocalStorage<string>();

function withRequestId<T>(id: string, work: () => T): T {
  return requests.run(id, work);
}

function currentRequestId(): string | undefined {
  return requests.getStore();
}
