import * as z from 'zod/mini';

export const FAULT_KINDS = [
  /** No answer; nothing is done. */
  'timeout',
  /** The connection ends; nothing is done. */
  'reset_before',
  /** The work is done; then the connection ends without an answer. */
  'reset_after',
  /** Fails within the API: stored under its key like any result. */
  'http_500',
  /** Fails before the API: not stored. */
  'http_503',
  'http_429',
  'http_409',
  /** Waits; then the work is done and answered. */
  'slow',
  /** The work is done; then its answer waits, while later calls may be answered before it. */
  'late',
] as const;

/** Characters that no path contains: between slashes they mark a pattern. */
const PATTERN = /^\/(.*[\^$*+?()[\]{}|\\.].*)\/$/;

export const faultSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  /** The start of a path, or a pattern between slashes: `/^\/v1\/subscriptions\/[^/]+$/`. */
  path: z.string().check(z.startsWith('/'), z.maxLength(300), z.refine(isReadable)),
  times: z.optional(z.int().check(z.gte(1), z.lte(1000))),
  kind: z.enum(FAULT_KINDS),
  ms: z.optional(z.int().check(z.gte(0), z.lte(120_000))),
});

export type PaymentFault = z.infer<typeof faultSchema>;

export interface PaymentFaults {
  add(fault: PaymentFault): void;
  clear(): void;
  /** Returns the first matching fault, and uses up one of its count. */
  take(method: string, path: string): PaymentFault | null;
  /** Includes each fault's remaining count. */
  left(): readonly (PaymentFault & { times: number })[];
}

export function openFaults(): PaymentFaults {
  let left: { fault: PaymentFault; times: number; fits: (path: string) => boolean }[] = [];
  return {
    add: (fault) => void left.push({ fault, times: fault.times ?? 1, fits: testOf(fault.path) }),
    clear() {
      left = [];
    },
    take(method, path) {
      const found = left.find(({ fault, fits }) => fault.method === method && fits(path));
      if (found === undefined) return null;
      found.times -= 1;
      if (found.times === 0) left = left.filter((one) => one !== found);
      return found.fault;
    },
    left: () => left.map(({ fault, times }) => ({ ...fault, times })),
  };
}

function testOf(filter: string): (path: string) => boolean {
  const pattern = PATTERN.exec(filter)?.[1];
  if (pattern === undefined) return (path) => path.startsWith(filter);
  const expression = new RegExp(pattern);
  return (path) => expression.test(path);
}

function isReadable(filter: string): boolean {
  try {
    testOf(filter);
    return true;
  } catch {
    // The schema reports an invalid pattern to the caller.
    return false;
  }
}
