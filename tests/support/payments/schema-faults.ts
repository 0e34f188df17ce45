/** Compares a value with the provider's schema, which knows only the keywords that `type-schema.ts` writes. */
import type { ProviderSchema } from './provider-schema.ts';
import { type SchemaNode, schemaNode } from './schema-ways.ts';

export interface SchemaFault {
  /** JSON Pointer; the names of fields hold no `/` or `~`. */
  path: string;
  message: string;
}

/** @returns no fault if the value has the declared shape; of a union, the faults of all its alternatives */
export function schemaFaults(declared: unknown, value: unknown, schema: ProviderSchema, path = ''): SchemaFault[] {
  const node = readNode(declared);
  const fault = (message: string) => [{ path, message }];
  if (node.$ref !== undefined) return schemaFaults(schema.$defs[node.$ref.slice(DEFS.length)], value, schema, path);
  if (node.anyOf !== undefined) {
    const each = node.anyOf.map((one) => schemaFaults(one, value, schema, path));
    return each.some((faults) => faults.length === 0) ? [] : each.flat();
  }
  if (node.enum !== undefined)
    return node.enum.includes(value) ? [] : fault(`must be one of ${JSON.stringify(node.enum)}`);
  if ('const' in node) return node.const === value ? [] : fault(`must be equal to ${JSON.stringify(node.const)}`);
  if (node.type !== undefined && typeOf(value) !== node.type) return fault(`must be ${node.type}`);
  if (node.pattern !== undefined && !new RegExp(node.pattern).test(String(value)))
    return fault(`must match ${node.pattern}`);
  if (Array.isArray(value))
    return value.flatMap((item, index) => schemaFaults(node.items, item, schema, `${path}/${index}`));
  return node.type === 'object' ? fieldFaults(node, Object.entries(value ?? {}), schema, path) : [];
}

const DEFS = '#/$defs/';
const nodesRead = new WeakMap<object, SchemaNode>();

/** The same few thousand nodes are visited again and again. */
function readNode(declared: unknown): SchemaNode {
  if (typeof declared !== 'object' || declared === null) return schemaNode(declared);
  const node = nodesRead.get(declared) ?? schemaNode(declared);
  nodesRead.set(declared, node);
  return node;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function fieldFaults(
  node: SchemaNode,
  fields: [string, unknown][],
  schema: ProviderSchema,
  path: string,
): SchemaFault[] {
  const names = new Set(fields.map(([name]) => name));
  const missing = (node.required ?? []).filter((name) => !names.has(name));
  return [
    ...missing.map((name) => ({ path, message: `must have ${name}` })),
    ...fields.flatMap(([name, value]) => {
      const declared = node.properties?.[name] ?? node.additionalProperties;
      return declared === false
        ? [{ path, message: `must not have ${name}` }]
        : schemaFaults(declared, value, schema, `${path}/${name}`);
    }),
  ];
}
