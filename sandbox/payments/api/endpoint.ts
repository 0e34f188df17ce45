/** One call of the API: its method and path, its parameters, and its handler. */
import type * as z from 'zod/mini';
import type { Hand } from '../engine/payment-engine.ts';
import type { FormTree } from './form-tree.ts';
import { readParams } from './params.ts';

export interface Call<P> extends Hand {
  params: P;
  /** The id in the path; empty without one. */
  id: string;
}

export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  path: string;
  /** Allowed parameters, besides `expand`. */
  params: z.ZodMiniType;
  /** @returns a Refusal when the call fails but its changes stay. @throws Refusal when nothing was changed */
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
