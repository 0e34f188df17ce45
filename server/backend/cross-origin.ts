/** Cross-origin rules: our own origin, and those that a setting names. Others get no permission to read an answer. */
import type { MiddlewareHandler } from 'hono';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS =
  'apikey, authorization, accept-profile, content-profile, content-type, prefer, range, range-unit, x-client-info, x-retry-count, x-supabase-api-version';
const EXPOSED_HEADERS = 'content-range, x-sb-error-code, retry-after';

export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isAllowed = origin !== undefined && origins.includes(origin);
    if (c.req.method === 'OPTIONS') {
      if (!isAllowed) return c.body(null, 403);
      return c.body(null, 204, {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': ALLOWED_METHODS,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '600',
        vary: 'origin',
      });
    }
    await next();
    if (!isAllowed) return;
    c.res.headers.set('access-control-allow-origin', origin);
    c.res.headers.set('access-control-expose-headers', EXPOSED_HEADERS);
    c.res.headers.append('vary', 'origin');
  };
}
