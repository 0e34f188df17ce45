/** Fields of an object that may be expanded, by the SDK's declarations: `string | Customer`, and optional lists. */
import { type ProviderSchema, providerSchema } from './provider-schema.ts';
import { type SchemaNode, waysOf } from './schema-ways.ts';

/** @param kind  as in the field `object`. @returns paths from the object on, without list indexes */
export function declaredExpandables(kind: string): string[] {
  const schema = providerSchema();
  const isOfKind = (node: SchemaNode) => node.required?.includes('id') === true && kindOf(node, schema) === kind;
  const kinds = Object.values(schema.$defs)
    .flatMap((node) => waysOf(node, schema))
    .filter(isOfKind);
  return [...new Set(kinds.flatMap((node) => within(node, '', schema)))].toSorted();
}

function within({ properties = {}, required = [] }: SchemaNode, before: string, schema: ProviderSchema): string[] {
  return Object.entries(properties).flatMap(([name, declared]) => {
    const path = before === '' ? name : `${before}.${name}`;
    const ways = waysOf(declared, schema).flatMap((way) => (way.type === 'array' ? waysOf(way.items, schema) : [way]));
    const objects = ways.filter((way) => kindOf(way, schema) !== null);
    const isList = objects.some((way) => kindOf(way, schema) === 'list');
    const isReference = objects.length > 0 && ways.some(({ type }) => type === 'string');
    if (isReference || (isList && !required.includes(name))) return [path];
    const groups = ways.filter((way) => way.type === 'object' && kindOf(way, schema) === null);
    return groups.flatMap((group) => within(group, path, schema));
  });
}

/** Null: a group of fields, not a separate object. */
function kindOf({ properties }: SchemaNode, schema: ProviderSchema): string | null {
  const [way] = properties?.object === undefined ? [] : waysOf(properties.object, schema);
  return typeof way?.const === 'string' ? way.const : null;
}
