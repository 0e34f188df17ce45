import type { MiddlewareHandler } from 'hono';

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const ALLOWED_HEADERS = [
  ...['apikey', 'authorization', 'accept-profile', 'cache-control', 'content-profile', 'content-type', 'if-none-match'],
  ...[
    'last-event-id',
    'prefer',
    'range',
    'range-unit',
    'x-client-info',
    'x-metadata',
    'x-retry-count',
    'x-supabase-api-version',
  ],
  'x-upsert',
].join(', ');
const EXPOSED_HEADERS = [
  ...[
    'content-range',
    'etag',
    'preference-applied',
    'proxy-status',
    'retry-after',
    'x-fetched-at',
    'x-request-id',
    'x-sb-error-code',
    'x-supabase-api-version',
  ],
  ...['kind', 'venue', 'open', 'attribution', 'delay-s', 'as-of', 'stale'].map((name) => `x-market-${name}`),
].join(', ');

/** @param origins  exactly as browsers send them: scheme, host and port, without a trailing slash */
export function crossOrigin(origins: readonly string[]): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isAllowed = origin !== undefined && origins.includes(origin);
    // A browser's preflight has an origin; any other OPTIONS request is handled like the other methods.
    if (c.req.method === 'OPTIONS' && origin !== undefined) {
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
    // Sent on every response, because a cache must not give one origin's response to another.
    c.res.headers.append('vary', 'origin');
    if (!isAllowed) return;
    c.res.headers.set('access-control-allow-origin', origin);
    c.res.headers.set('access-control-expose-headers', EXPOSED_HEADERS);
  };
}
