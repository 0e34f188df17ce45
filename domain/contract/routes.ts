/**
 * Every route of ours but the server functions (functions.ts) and the read API (server/programs/read-api/api-routes.ts),
 * which have tables of their own. The protocols of others stay with their implementations: FOREIGN.
 */
import type * as z from 'zod/mini';
import { MARKET_ROUTES } from './market-routes.ts';
import { RECORD_ROUTES } from './record-routes.ts';
import type { RouteContract } from './route-contract.ts';
import { SITE_ROUTES } from './site-routes.ts';

export const ROUTES = { ...MARKET_ROUTES, ...RECORD_ROUTES, ...SITE_ROUTES };

export const FUNCTION_PATHS = '/functions/v1/';

type Routes = typeof ROUTES;
export type RoutePath = keyof Routes;
type QueryOf<Route> = Route extends RouteContract<infer Query> ? Query : never;
/** Of a friendly client; numbers and texts alike become text. */
export type RouteQuery<Path extends RoutePath> = z.input<QueryOf<Routes[Path]>>;

/** Beginnings of the paths without rows here: those of other protocols, and ours that have tables of their own. */
export const FOREIGN = [
  '/auth/v1',
  '/rest/v1',
  '/storage/v1',
  '/functions/v1',
  '/api',
  '/mcp',
  // Payment events and the sandbox's pages.
  '/billing',
  '/test-payments',
  '/discord',
  // Market data in the shapes of its sources.
  '/0/public',
  '/products',
  '/fng',
  '/oembed',
  // Only on development machines.
  '/dev',
] as const;

export function routeOf(path: string): RouteContract | null {
  return (ROUTES as Readonly<Record<string, RouteContract>>)[path] ?? null;
}
