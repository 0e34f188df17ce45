/** The reference of the read API, written from its OpenAPI document, which is built from the schemas that parse. */
import * as z from 'zod/mini';
import { API_BASE } from '../../server/programs/read-api/api-routes.ts';
import { openApiDocument } from '../../server/programs/read-api/open-api.ts';
import { table } from './markdown-table.ts';

const schemaSchema = z.record(z.string(), z.unknown());
type Schema = z.infer<typeof schemaSchema>;

const documentSchema = z.object({
  info: z.object({ description: z.string() }),
  components: z.object({ responses: z.record(z.string(), z.object({ description: z.string() })) }),
  paths: z.record(
    z.string(),
    z.object({
      get: z.object({
        summary: z.string(),
        description: z.string(),
        parameters: z.array(
          z.object({ name: z.string(), in: z.string(), required: z.boolean(), schema: schemaSchema }),
        ),
        'x-events': z.optional(z.record(z.string(), schemaSchema)),
        responses: z.object({
          200: z.object({ content: z.record(z.string(), z.object({ schema: schemaSchema })) }),
        }),
      }),
    }),
  ),
});

/** Deeper fields are shown as their JSON type only. */
const DEPTH = 3;

export function readApiPage(): string {
  const { info, components, paths } = documentSchema.parse(openApiDocument());
  const routes = Object.entries(paths).map(([path, { get }]) => {
    const [type = '', content] = Object.entries(get.responses[200].content)[0] ?? [];
    const parameters = get.parameters.map(({ name, in: place, required, schema }) => [
      `\`${name}\``,
      place + (required ? ', required' : ''),
      typeOf(schema),
    ]);
    const events = Object.entries(get['x-events'] ?? {}).flatMap(([name, schema]) => [
      `Event \`${name}\`:`,
      fieldTable(schema),
    ]);
    return [
      `## GET ${path}`,
      `${get.summary}.`,
      get.description,
      ...(parameters.length === 0 ? [] : [table(['parameter', 'in', 'type'], parameters)]),
      ...(type === 'application/json' ? ['Answer:', fieldTable(content?.schema ?? {})] : [`Answer: \`${type}\`.`]),
      ...events,
    ].join('\n\n');
  });
  const refusals = Object.entries(components.responses).map(
    ([name, one]) => [name.slice('Refusal'.length), one] as const,
  );
  return [
    '# Read API',
    info.description,
    `Addresses are below \`${API_BASE}\`. \`GET ${API_BASE}/openapi.json\` is this page for machines; both are written from the schemas that parse the requests. [For programs](../../../docs/programs.md) shows how to begin.`,
    ...routes,
    '## Refusals',
    'Each is JSON: `{"error": sentence, "code": "area/reason", "details"?: {...}}`. The code is stable; the sentence may change.',
    table(
      ['status', 'code', 'sentence'],
      refusals.flatMap(([status, { description }]) =>
        description.split('\n').map((line) => {
          const [code = '', ...message] = line.split(': ');
          return [status, code, message.join(': ')];
        }),
      ),
    ),
  ].join('\n\n');
}

function fieldTable(schema: Schema): string {
  return table(['field', 'type', 'note'], fieldsOf(schema, '', DEPTH));
}

function fieldsOf(schema: Schema, prefix: string, depth: number): string[][] {
  const properties = schemaSchema.safeParse(schema.properties).data ?? {};
  return Object.entries(properties).flatMap(([name, value]) => {
    const part = schemaSchema.parse(value);
    const inner = objectIn(part);
    const path = `${prefix}${name}${part.type === 'array' ? '[]' : ''}`;
    const row = [`\`${path}\``, typeOf(part), String(part.description ?? '')];
    return inner === null || depth === 1 ? [row] : [row, ...fieldsOf(inner, `${path}.`, depth - 1)];
  });
}

/** The object that a field holds, alone, in a list or as one of several. */
function objectIn(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema;
  const items = schemaSchema.safeParse(schema.items).data;
  if (items !== undefined) return objectIn(items);
  const one = z.array(schemaSchema).safeParse(schema.anyOf).data ?? [];
  return one.find((part) => objectIn(part) !== null) ?? null;
}

function typeOf(schema: Schema): string {
  const values = z.array(z.unknown()).safeParse(schema.enum).data;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if ('const' in schema) return `\`${schema.const}\``;
  const alternatives = z.array(schemaSchema).safeParse(schema.anyOf ?? schema.oneOf).data;
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' or ');
  const { type, format, minimum, maximum } = schema;
  if (type === 'array') {
    const items = schemaSchema.safeParse(schema.items).data;
    return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  }
  const range = [minimum, maximum].filter(
    (limit) => typeof limit === 'number' && Math.abs(limit) < Number.MAX_SAFE_INTEGER,
  );
  const types = (Array.isArray(type) ? type : [type ?? 'any']).join(' or ');
  return [format ?? types, range.length === 2 ? `${range[0]} to ${range[1]}` : '']
    .filter((text) => text !== '')
    .join(', ');
}
