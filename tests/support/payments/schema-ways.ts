/** Reads the provider's schema: a type may have several alternatives, behind references and unions. */
import * as z from 'zod/mini';
import type { ProviderSchema } from './provider-schema.ts';

const nodeSchema = z.looseObject({
  $ref: z.optional(z.string()),
  anyOf: z.optional(z.array(z.unknown())),
  type: z.optional(z.string()),
  const: z.optional(z.unknown()),
  enum: z.optional(z.array(z.unknown())),
  pattern: z.optional(z.string()),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
  additionalProperties: z.optional(z.unknown()),
});
export type SchemaNode = z.infer<typeof nodeSchema>;

/** @throws Error if the value isn't a JSON Schema */
export function schemaNode(value: unknown): SchemaNode {
  return nodeSchema.parse(value);
}

/** All alternatives of this type, with references and unions resolved. */
export function waysOf(declared: unknown, schema: ProviderSchema): SchemaNode[] {
  const node = schemaNode(declared);
  if (node.$ref !== undefined) return waysOf(schema.$defs[node.$ref.replace('#/$defs/', '')], schema);
  return node.anyOf === undefined ? [node] : node.anyOf.flatMap((one) => waysOf(one, schema));
}
