/** Each route once with each of its methods, as its friendly client would call it: for what must hold of all of them. */
import fc from 'fast-check';
import type { FuzzRequest, TokenName } from './requests.ts';
import { ROUTES } from './routes/routes.ts';

const SEED = 1;

export interface PlainOptions {
  token?: TokenName;
  headers?: FuzzRequest['headers'];
  /** In place of the parts of a path that differ from call to call. */
  name?: string;
  /** Whether a route is wanted. */
  wants?: (path: string, method: string) => boolean;
  /** Fields beside the route's own, as JSON text: names that no object can have stay as they are written. */
  extraFields?: string;
}

/** Bodies are drawn by the same seed each time. */
export function plainRequests(options: PlainOptions = {}): FuzzRequest[] {
  const { token = 'none', headers = [], name = 'x', wants = () => true, extraFields = '' } = options;
  return ROUTES.flatMap((route) =>
    route.methods
      .filter((method) => wants(route.path, method))
      .map((method) => {
        const hasBody = method !== 'GET' && method !== 'HEAD';
        const own = hasBody && route.body !== undefined ? one(route.body) : {};
        const fields = JSON.stringify(own).slice(1, -1);
        const body = `{${[extraFields, fields].filter((part) => part !== '').join(',')}}`;
        const query = new URLSearchParams(
          Object.entries(one(route.query ?? {})).map(([key, value]) => [key, String(value)]),
        );
        return {
          route,
          method,
          target: route.path.replaceAll(/\{\w+\}/g, name) + (query.size === 0 ? '' : `?${query}`),
          headers: [...(hasBody ? [['content-type', 'application/json'] as const] : []), ...headers],
          apiKey: route.path.startsWith('/auth/v1') || route.path.startsWith('/rest/v1') ? 'anonKey' : 'none',
          token,
          body: hasBody ? body : null,
        };
      }),
  );
}

function one(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): Record<string, unknown> {
  const [drawn = {}] = fc.sample(fc.record({ ...fields }), { numRuns: 1, seed: SEED });
  return drawn;
}
