/** One call of the API: its method and path, its parameters, and what it does. */
import type * as z from 'zod/mini';
import type { Hand } from '../engine/desk.ts';
import type { FormTree } from './form-tree.ts';
import { readParams } from './params.ts';

export interface Call<P> extends Hand {
  params: P;
  /** The part of the path that names something; empty where there is none. */
  id: string;
}

export interface Endpoint {
  method: 'get' | 'post' | 'delete';
  path: string;
  /** What may be sent, `expand` aside. */
  params: z.ZodMiniType;
  /** @returns a Refusal where the call is an error and yet what was done stays. @throws Refusal where nothing was done */
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
