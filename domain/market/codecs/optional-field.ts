import * as z from 'zod/mini';

/** A field that a venue may leave out or send as null: both read as undefined, so that neither refuses a whole row. */
export function optionalField<T extends z.ZodMiniType>(schema: T) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => value ?? undefined),
    ),
  );
}
