/** One call of the API: its method and path, its parameters, and its handler. */
import * as z from 'zod/mini';
import type { Hand } from '../engine/payment-engine.ts';
import type { Metadata } from '../model/records.ts';
import { invalid, type PaymentRefusal } from '../model/refusal.ts';
import type { FormTree } from './form-tree.ts';

export interface Call<P> extends Hand {
  params: P;
  id: string;
}

export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  path: string;
  params: z.ZodMiniType;
  /**
   * @returns a PaymentRefusal when the call fails but its changes stay
   * @throws PaymentRefusal when the call fails and nothing was changed
   */
  answer(hand: Hand, id: string, tree: FormTree): unknown;
}

export function endpoint<S extends z.ZodMiniType>(
  method: Endpoint['method'],
  path: string,
  schema: S,
  answer: (call: Call<z.infer<S>>) => unknown,
): Endpoint {
  return {
    method,
    path,
    params: schema,
    answer: (hand, id, tree) => answer({ ...hand, id, params: readParams(schema, tree) }),
  };
}

export const text = z.string().check(z.minLength(1), z.maxLength(5000));
/** An empty value clears it. */
export const clearable = z.pipe(
  z.string().check(z.maxLength(5000)),
  z.transform((value) => (value === '' ? null : value)),
);
export const whole = z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.transform(Number));
export const flag = z.pipe(
  z.enum(['true', 'false']),
  z.transform((value) => value === 'true'),
);
export const metadata = z.record(z.string().check(z.maxLength(40)), z.string().check(z.maxLength(500)));
export const page = { limit: z.optional(whole), starting_after: z.optional(text), ending_before: z.optional(text) };
/** One time, or a range. */
export const created = z.union([
  whole,
  z.strictObject({ gt: z.optional(whole), gte: z.optional(whole), lt: z.optional(whole), lte: z.optional(whole) }),
]);
/** For lists that can be filtered by creation time. */
export const datedPage = { ...page, created: z.optional(created) };

/** Merges as the provider does: an empty value removes its name. */
export function mergedMetadata(before: Metadata, changes: Metadata | undefined): Metadata {
  return Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));
}

/** @throws PaymentRefusal that names the parameter */
function readParams<S extends z.ZodMiniType>(schema: S, tree: FormTree): z.infer<S> {
  const parsed = schema.safeParse(tree);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? invalid('The parameters are invalid.') : refusalOf(issue);
}

function refusalOf(issue: z.core.$ZodIssue): PaymentRefusal {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    return invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameOf(issue.path);
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  return invalid(`Invalid ${param}: ${issue.message}`, { param });
}

function nameOf(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String);
  return first + rest.map((part) => `[${part}]`).join('');
}
