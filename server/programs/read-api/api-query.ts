/** Parses a request's parameters with the schema that documents them. */
import * as z from 'zod/mini';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

/** Plain digits without leading zeros. */
const WHOLE = /^(0|[1-9]\d{0,14})$/;

/** @throws AppError `request/invalid` for an unknown, repeated or invalid parameter */
export function readApiQuery<Schema extends z.ZodMiniObject>(url: string, schema: Schema): z.output<Schema> {
  const { searchParams } = new URL(url);
  const values: Record<string, unknown> = {};
  for (const name of new Set(searchParams.keys())) {
    const part = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    // Unknown input is not echoed.
    if (part === undefined) throw invalidParameter('query', 'unknown');
    const [text = '', ...others] = searchParams.getAll(name);
    if (others.length > 0) throw invalidParameter(name, 'repeated');
    values[name] = isWhole(part) && WHOLE.test(text) ? Number(text) : text;
  }
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const name = String(read.error.issues[0]?.path[0] ?? 'query');
  throw invalidParameter(name, Object.hasOwn(schema.shape, name) && !(name in values) ? 'missing' : 'invalid');
}

/** @throws AppError `request/invalid` */
export function readApiPath<Schema extends z.ZodMiniObject>(
  params: Record<string, string>,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(params);
  if (!read.success) throw invalidParameter(String(read.error.issues[0]?.path[0] ?? 'path'), 'invalid');
  return read.data;
}

function isWhole(schema: z.core.$ZodType): boolean {
  return z.toJSONSchema(schema).type === 'integer';
}
