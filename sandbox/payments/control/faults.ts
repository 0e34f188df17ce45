/** Calls that go wrong on purpose. */
import * as z from 'zod/mini';

export const faultSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'DELETE']),
  /** The beginning of a path. */
  path: z.string().check(z.startsWith('/'), z.maxLength(300)),
  times: z.optional(z.int().check(z.gte(1), z.lte(1000))),
  kind: z.enum(['timeout', 'reset_before', 'reset_after', 'http_500', 'http_429', 'http_409', 'slow']),
  /** How slow. */
  ms: z.optional(z.int().check(z.gte(0), z.lte(120_000))),
});

export type Fault = z.infer<typeof faultSchema>;

export interface Faults {
  add(fault: Fault): void;
  clear(): void;
  /** The first that fits; it is spent by being taken. */
  take(method: string, path: string): Fault | null;
}

export function openFaults(): Faults {
  let left: { fault: Fault; times: number }[] = [];
  return {
    add: (fault) => void left.push({ fault, times: fault.times ?? 1 }),
    clear() {
      left = [];
    },
    take(method, path) {
      const found = left.find(({ fault }) => fault.method === method && path.startsWith(fault.path));
      if (found === undefined) return null;
      found.times -= 1;
      if (found.times === 0) left = left.filter((one) => one !== found);
      return found.fault;
    },
  };
}
