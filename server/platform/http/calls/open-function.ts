/** Anyone may call GET /functions/v1/<name>; keys and tokens are ignored, so caches may store the response. */
import { Hono } from 'hono';
import { onlyMethods } from './http-errors.ts';

export interface OpenAnswer {
  status: number;
  body: Record<string, unknown>;
  headers?: Readonly<Record<string, string>>;
}

export interface OpenFunction {
  /** Last part of the path. */
  name: string;
  /** How long a response with status 200 may be cached, in seconds. */
  maxAgeS: number;
  /** @throws AppError `request/invalid` for unknown parameters */
  answer(query: URLSearchParams, signal: AbortSignal): Promise<OpenAnswer>;
}

export function openFunctionRoutes(functions: readonly OpenFunction[]): Hono {
  const routes = new Hono().basePath('/functions/v1');
  for (const { name, maxAgeS, answer } of functions) {
    routes.get(`/${name}`, async (c) => {
      const { status, body, headers = {} } = await answer(new URL(c.req.url).searchParams, c.req.raw.signal);
      const caching = status === 200 ? `public, max-age=${maxAgeS}` : 'no-store';
      return Response.json(body, { status, headers: { 'cache-control': caching, ...headers } });
    });
    routes.all(`/${name}`, onlyMethods('GET', 'HEAD'));
  }
  return routes;
}
