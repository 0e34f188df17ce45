/** Each request as a step: named by its method and the pattern of its path, so that there are few names. */
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { isWatched, step } from './steps.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Paths that nobody answers. */
const NONE = 'none';

export interface RequestStepsOptions {
  /** The page at a path, by its one path; null: no page. */
  pageOf: (path: string) => string | null;
  /** Proxies of our own stand in front: what they say of traces is believed. */
  hasTrustedProxies: boolean;
}

/** Until the answer begins: how long its body streams is not counted. */
export function requestSteps({ pageOf, hasTrustedProxies }: RequestStepsOptions): MiddlewareHandler {
  return async (c, next) => {
    if (!isWatched()) return next();
    const method = METHODS.has(c.req.method) ? c.req.method : 'other';
    const parent = hasTrustedProxies ? c.req.header('traceparent') : undefined;
    const request = { kind: 'request', name: method, outcome: '5xx', parent };
    await step(request, async () => {
      await next();
      request.name = `${method} ${patternOf(c, pageOf)}`;
      request.outcome = `${Math.floor(c.res.status / 100)}xx`;
    });
  };
}

function patternOf(c: Context, pageOf: RequestStepsOptions['pageOf']): string {
  const pattern = routePath(c);
  if (pattern !== '*' && pattern !== '/*') return pattern;
  // Files of the site are one name, pages as many as there are routes.
  if (c.res.status === 404 || c.res.status === 421) return NONE;
  return pageOf(c.req.path) ?? (c.req.path.startsWith('/assets/') ? '/assets/*' : '/*');
}
