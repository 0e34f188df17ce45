/** Compares the parameters that the sandbox accepts with those that the provider's SDK declares for the same call. */
import * as z from 'zod/mini';
import { type ProviderSchema, providerSchema } from './provider-schema.ts';
import { type SchemaNode, schemaNode, waysOf } from './schema-ways.ts';

/**
 * @param call  as in `POST /v1/customers`
 * @returns a sentence for each parameter or value that the provider would refuse, and for each that it would miss
 */
export function strangeParams(call: string, params: z.ZodMiniType): string[] {
  const schema = providerSchema();
  const declared = schema.$defs.Params?.properties?.[call];
  if (declared === undefined) return ['the SDK declares no such call'];
  // As they are sent: everything is text.
  const taken = schemaNode(z.toJSONSchema(params, { io: 'input' }));
  return differences(taken, waysOf(declared, schema), { schema, path: '' });
}

interface Place {
  schema: ProviderSchema;
  path: string;
}

/** @param ways  alternatives that the provider accepts */
function differences(taken: SchemaNode, ways: readonly SchemaNode[], { schema, path }: Place): string[] {
  if (taken.anyOf !== undefined)
    return taken.anyOf.flatMap((one) => differences(schemaNode(one), ways, { schema, path }));
  if (taken.type === 'array') {
    const items = ways.flatMap((way) => (way.type === 'array' ? waysOf(way.items, schema) : []));
    if (items.length === 0) return [`${path} is no list`];
    return differences(schemaNode(taken.items), items, { schema, path: `${path}[]` });
  }
  if (taken.type === 'object') return ofGroup(taken, ways, { schema, path });
  const values = taken.enum ?? (taken.const === undefined ? null : [taken.const]);
  if (values !== null)
    return values.filter((value) => !ways.some((way) => takes(way, value))).map((value) => `${path} is never ${value}`);
  // Here, a number is text with a pattern.
  const isFree = ways.some(({ type }) => type === 'string' || (type === 'number' && taken.pattern !== undefined));
  return isFree ? [] : [`${path} is not free`];
}

function ofGroup(taken: SchemaNode, ways: readonly SchemaNode[], { schema, path }: Place): string[] {
  const groups = ways.filter(({ type }) => type === 'object');
  if (taken.properties === undefined) {
    const isOpen = groups.some(({ additionalProperties }) => typeof additionalProperties === 'object');
    return isOpen ? [] : [`${path} takes no names of one's own`];
  }
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const found = Object.entries(taken.properties).flatMap(([name, one]) => {
    const declared = groups.flatMap(({ properties }) => (properties?.[name] === undefined ? [] : [properties[name]]));
    if (declared.length === 0) return [`${at(name)} is unknown`];
    const all = declared.flatMap((way) => waysOf(way, schema));
    return differences(schemaNode(one), all, { schema, path: at(name) });
  });
  const needed = groups.length === 1 ? (groups[0]?.required ?? []) : [];
  const missed = needed.filter((name) => !(taken.required ?? []).includes(name));
  return [...found, ...missed.map((name) => `${at(name)} has to be given`)];
}

/** The provider's values are numbers and booleans; ours are the text that is sent. */
function takes(way: SchemaNode, value: unknown): boolean {
  if (way.enum !== undefined) return way.enum.some((one) => String(one) === value);
  if (way.const !== undefined) return String(way.const) === value;
  if (way.type === 'boolean') return value === 'true' || value === 'false';
  if (way.type === 'number') return Number.isFinite(Number(value)) && value !== '';
  return way.type === 'string';
}
