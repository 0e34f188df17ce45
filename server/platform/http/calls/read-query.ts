/** Reads the query string of a route of ours with the schema of its parameters. Foreign protocols read their own. */
import * as z from 'zod/mini';
import type { UnknownParameters } from '#domain/contract/route-contract.ts';
import { invalidParameter } from './http-errors.ts';

/** Plain digits without leading zeros. */
const WHOLE = /^(0|[1-9]\d{0,15})$/;

/**
 * Each parameter may be given once. Where the schema has a whole number it is read from plain digits; all others are text.
 *
 * @throws AppError `request/invalid` with `details.parameter` and `details.problem`: for an unknown parameter, then for a
 * repeated one, then for one that the schema refuses. An empty text counts as missing where the parameter is needed.
 */
export function readQuery<Schema extends z.ZodMiniObject>(
  params: URLSearchParams,
  schema: Schema,
  unknown: UnknownParameters = 'refused',
): z.output<Schema> {
  if (unknown !== 'ignored') requireKnown(params, schema, unknown);
  const values: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(schema.shape)) {
    const [text, ...others] = params.getAll(name);
    if (others.length > 0) throw invalidParameter(name, 'repeated');
    if (text !== undefined) values[name] = WHOLE.test(text) && isWhole(part) ? Number(text) : text;
  }
  const read = schema.safeParse(values);
  if (read.success) return read.data;
  const name = String(read.error.issues[0]?.path[0] ?? 'query');
  throw invalidParameter(name, isMissing(schema.shape[name], values[name]) ? 'missing' : 'invalid');
}

function requireKnown(params: URLSearchParams, { shape }: z.ZodMiniObject, unknown: 'refused' | 'named'): void {
  for (const name of params.keys())
    if (!Object.hasOwn(shape, name)) throw invalidParameter(unknown === 'named' ? shownName(name) : 'query', 'unknown');
}

/** Unsafe input is echoed only in part, and only its letters, digits, `_` and `-`. */
function shownName(name: string): string {
  return name.slice(0, 30).replace(/[^A-Za-z0-9_-]/g, '?');
}

function isMissing(part: z.core.$ZodType | undefined, value: unknown): boolean {
  const isEmpty = value === undefined || value === '';
  return isEmpty && part !== undefined && !z.safeParse(part, undefined).success;
}

/** Asked of the same few schemas by every request. */
const wholes = new WeakMap<z.core.$ZodType, boolean>();

function isWhole(part: z.core.$ZodType): boolean {
  const known = wholes.get(part);
  if (known !== undefined) return known;
  const { type } = z.toJSONSchema(part, { io: 'input', unrepresentable: 'any' });
  wholes.set(part, type === 'integer');
  return type === 'integer';
}
