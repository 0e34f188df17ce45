/** Each request as a step, named by method and route, never by what a visitor typed. */
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { isWatched, step } from './steps.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const NONE = 'none';

export interface RequestStepsOptions {
  /** The canonical path of the page at a path; null if there is no page. */
  pageOf: (path: string) => string | null;
  /** Our own proxies are in front, so their trace headers are trusted. */
  hasTrustedProxies: boolean;
}

/** Lasts until the response starts; the time to stream its body is not counted. */
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
  // The site's files share one name; pages have one name per route.
  if (c.res.status === 404 || c.res.status === 421) return NONE;
  return pageOf(c.req.path) ?? (c.req.path.startsWith('/assets/') ? '/assets/*' : '/*');
}
