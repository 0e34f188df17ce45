/** Answers routes of the contract: reads their parameters by it, and refuses other methods. */
import type { Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import { FUNCTIONS } from '#domain/contract/functions.ts';
import type { RouteContract } from '#domain/contract/route-contract.ts';
import { FOREIGN, FUNCTION_PATHS, ROUTES, type RoutePath } from '#domain/contract/routes.ts';
import { onlyMethods, requireGet } from './http-errors.ts';
import { readQuery } from './read-query.ts';

type Query<Path extends RoutePath> = (typeof ROUTES)[Path] extends { query?: infer Schema extends z.ZodMiniObject }
  ? z.output<Schema>
  : Record<never, never>;

/** Its parts in braces. */
type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Record<Name, string> & Params<Rest>
  : unknown;

/** @throws AppError `request/invalid` for parameters that the contract refuses */
export function readRouteQuery<Path extends RoutePath>(path: Path, params: URLSearchParams): Query<Path> {
  const { query, unknown }: RouteContract = ROUTES[path];
  return (query === undefined ? {} : readQuery(params, query, unknown)) as Query<Path>;
}

export function answerRoute<Path extends RoutePath>(
  app: Hono,
  path: Path,
  answer: (c: Context, query: Query<Path>, params: Params<Path>) => Response | Promise<Response>,
): void {
  const pattern = patternOf(path);
  const { answers, isCounted, crossOrigin }: RouteContract = ROUTES[path];
  const hasHead = answers !== 'events' && isCounted !== true;
  if (crossOrigin === 'everyone')
    app.use(pattern, async (c, next) => {
      await next();
      for (const [name, value] of Object.entries(FOR_EVERYONE)) c.res.headers.set(name, value);
    });
  app.get(pattern, (c) => {
    if (!hasHead) requireGet(c.req.raw);
    return answer(c, readRouteQuery(path, new URL(c.req.url).searchParams), paramsOf(c, path) as Params<Path>);
  });
  app.all(pattern, onlyMethods('GET', ...(hasHead ? ['HEAD'] : [])));
}

/** Set on refusals too. */
const FOR_EVERYONE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
};

const PART = /\{(\w+)\}([^/]*)/g;

/** Hono's form of the contract's path: a part keeps what follows it, such as `.json`. */
export function patternOf(path: string): string {
  return path.replace(PART, (_, name: string, ending: string) =>
    ending === '' ? `:${name}` : `:${name}{.+\\${ending}}`,
  );
}

/** Files for crawlers and readers, which no program of ours calls. */
const SITE_FILES = ['/robots.txt', '/sitemap.xml', '/change-log.atom'];

/** @throws Error that names the mounted routes which neither the contract nor another protocol has */
export function requireInContract(mounted: readonly Hono[]): void {
  const functions = Object.keys(FUNCTIONS).map((name) => `${FUNCTION_PATHS}${name}`);
  const known = new Set([...Object.keys(ROUTES).map(patternOf), ...functions, ...SITE_FILES].map(withoutNames));
  const isForeign = (path: string) =>
    !path.startsWith(FUNCTION_PATHS) && FOREIGN.some((start) => path === start || path.startsWith(`${start}/`));
  const others = mounted
    .flatMap(({ routes }) => routes.map(({ path }) => path))
    .filter((path) => !known.has(withoutNames(path)) && !isForeign(path));
  if (others.length > 0) throw new Error(`Not in domain/contract: ${[...new Set(others)].join(', ')}.`);
}

function withoutNames(pattern: string): string {
  return pattern.replace(/:\w+(\{[^}]*\})?/g, ':');
}

function paramsOf(c: Context, path: string): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [, name = '', ending = ''] of path.matchAll(PART)) {
    const text = c.req.param(name) ?? '';
    params[name] = text.slice(0, text.length - ending.length);
  }
  return params;
}
