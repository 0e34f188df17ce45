/**
 * Named functions that anyone may call, signed in or not: GET /functions/v1/<name>. A response depends only on its
 * parameters, so browsers and caches may store it. Keys and tokens in the request are ignored.
 */
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
      const keeping = status === 200 ? `public, max-age=${maxAgeS}` : 'no-store';
      return Response.json(body, { status, headers: { 'cache-control': keeping, ...headers } });
    });
    routes.all(`/${name}`, onlyMethods('GET', 'HEAD'));
  }
  return routes;
}
