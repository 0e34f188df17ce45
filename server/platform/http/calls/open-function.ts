/**
 * Named functions that anyone may call, signed in or not: GET /functions/v1/<name>. What one answers depends on its
 * parameters alone, so browsers and caches may keep it; a key or token that comes along is not looked at.
 */
import { Hono } from 'hono';
import { onlyMethods } from './methods.ts';

export interface OpenAnswer {
  status: number;
  body: Record<string, unknown>;
  headers?: Readonly<Record<string, string>>;
}

export interface OpenFunction {
  /** Last part of the path. */
  name: string;
  /** How long an answer with status 200 may be kept, seconds. */
  maxAgeS: number;
  /** @throws AppError `request/invalid` for parameters that it does not know */
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
