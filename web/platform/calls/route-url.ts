import type { RoutePath, RouteQuery } from '#domain/contract/routes.ts';

/** The address of a route of ours; the compiler compares path and parameters with the contract. */
export function routeUrl<Path extends RoutePath>(path: Path, query: RouteQuery<Path>): string {
  // Numbers become plain digits.
  return `${path}?${new URLSearchParams(query as Record<string, string>)}`;
}
