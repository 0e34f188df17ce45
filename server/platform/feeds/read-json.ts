/** Bodies that are JSON of a known shape. Unknown fields are left out, and a missing one is an error. */
import type * as z from 'zod/mini';

/** @returns reads a body. @throws SyntaxError for what is no JSON, a ZodError for what has another shape */
export function jsonOf<T>(schema: z.ZodMiniType<T>): (body: string) => T {
  return (body) => {
    const json: unknown = JSON.parse(body);
    return schema.parse(json);
  };
}
