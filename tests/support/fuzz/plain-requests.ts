/** Each route once per method, as a friendly client would call it: for rules that hold for all of them. */
import fc from 'fast-check';
import type { FuzzRequest, TokenName } from './requests.ts';
import { ROUTES } from './routes/routes.ts';

const SEED = 1;

export interface PlainOptions {
  token?: TokenName;
  headers?: FuzzRequest['headers'];
  /** Replaces the variable parts of a path. */
  name?: string;
  /** Filters the routes. */
  wants?: (path: string, method: string) => boolean;
  /** Fields added to the route's own, as raw JSON text, so that even names like `__proto__` are sent unchanged. */
  extraFields?: string;
}

/** The same bodies on every call: the seed is fixed. */
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
