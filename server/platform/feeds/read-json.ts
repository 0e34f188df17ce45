/** Parses JSON bodies of a known shape. Unknown fields are dropped, and a missing one is an error. */
import type * as z from 'zod/mini';

/** @returns a function that reads a body. @throws SyntaxError for invalid JSON, ZodError for another shape */
export function jsonOf<T>(schema: z.ZodMiniType<T>): (body: string) => T {
  return (body) => {
    const json: unknown = JSON.parse(body);
    return schema.parse(json);
  };
}
