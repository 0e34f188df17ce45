/** A tool of the MCP server: its parameters are parsed by the schema that describes them, and it only reads. */
import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import type { ReadApiKey } from '#domain/account/api-key.ts';
import { type AppError, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { isOurFault } from '../../platform/http/calls/http-errors.ts';
import { isPlainObject } from '../../platform/http/calls/request-body.ts';
import type { Logger } from '../../platform/telemetry/log.ts';

export interface ToolCall<Input> {
  input: Input;
  key: ReadApiKey;
  signal: AbortSignal;
}

export interface ToolParts<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject> {
  name: string;
  title: string;
  /** Says what its numbers cannot do. */
  description: string;
  input: Input;
  output: Output;
  run(call: ToolCall<z.output<Input>>): Promise<z.input<Output>>;
}

export interface ToolCaller {
  key: ReadApiKey;
  log: Logger;
}

/** Adds a tool to the server of one request. */
export type Tool = (server: McpServer, caller: ToolCaller) => void;

const READS_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export function tool<Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  parts: ToolParts<Input, Output>,
): Tool {
  const { name, title, description } = parts;
  const config = {
    title,
    description,
    annotations: READS_ONLY,
    inputSchema: standardSchema(parts.input),
    outputSchema: standardSchema(parts.output),
  };
  return (server, { key, log }) => {
    server.registerTool(name, config, async (input, { mcpReq: { signal } }) => {
      try {
        const found = await parts.run({ input, key, signal });
        return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: { ...found } };
      } catch (error) {
        if (isOurFault(error) && !signal.aborted) log.error({ err: error, tool: name }, 'an MCP tool failed');
        return { isError: true, content: [{ type: 'text', text: refusalText(error) }] };
      }
    });
  };
}

/** A sentence for the assistant, with the code that programs can test. */
function refusalText(error: unknown): string {
  if (!isAppError(error)) return `${MESSAGES.internal} (internal)`;
  const { code, details }: AppError = error;
  const known = Object.entries(details).filter(([, value]) => ['string', 'number'].includes(typeof value));
  const more = known.map(([name, value]) => `${name}: ${value}`).join(', ');
  return `${MESSAGES[code]} (${code}${more === '' ? '' : `; ${more}`})`;
}

const { localeError } = z.locales.en();

/** The server's library takes any schema with both functions; zod/mini has only the first. */
function standardSchema<Schema extends z.ZodMiniObject>(
  schema: Schema,
): StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>> {
  const jsonOf = (io: 'input' | 'output') => {
    const json = portable(z.toJSONSchema(schema, { io }));
    return isPlainObject(json) ? json : {};
  };
  const json = { input: jsonOf('input'), output: jsonOf('output') };
  return {
    '~standard': {
      version: 1,
      vendor: 'kat',
      validate(value) {
        const read = schema.safeParse(value, { error: localeError });
        return read.success
          ? { value: read.data }
          : { issues: read.error.issues.map(({ path, message }) => ({ path, message })) };
      },
      jsonSchema: { input: () => json.input, output: () => json.output },
    },
  };
}

/**
 * Assistants pass tools on to models in dialects that know less of JSON Schema: tuples get their length instead of
 * `items: false`, types that may be null become alternatives, and times have no pattern beside their format.
 */
function portable(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(portable);
  if (!isPlainObject(part)) return part;
  const { type, description, ...rest } = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, portable(value)]),
  );
  if (rest.format === 'date-time' || rest.format === 'date') delete rest.pattern;
  if (Array.isArray(rest.prefixItems) && rest.items === false) {
    delete rest.items;
    rest.minItems = rest.prefixItems.length;
    rest.maxItems = rest.prefixItems.length;
  }
  const noted = description === undefined ? {} : { description };
  if (!Array.isArray(type)) return type === undefined ? { ...rest, ...noted } : { type, ...rest, ...noted };
  return { anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })), ...noted };
}
