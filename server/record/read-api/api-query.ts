/** Parses a request's parameters with the schema that documents them, and refuses a key in the URL. */
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

/** Plain digits without leading zeros. */
const WHOLE = /^(0|[1-9]\d{0,14})$/;
const KEY_NAME = /^(api[-_]?key|key|(access_)?token|authorization|bearer)$/i;
const KEY = /kat_[A-Za-z0-9]{20}/;

/** @throws AppError `api/key-in-address` for a key anywhere in the URL, or a parameter named like one */
export function refuseKeyInAddress(url: string): void {
  const { searchParams } = new URL(url);
  const isNamed = [...searchParams.keys()].some((name) => KEY_NAME.test(name));
  if (isNamed || KEY.test(url) || KEY.test(searchParams.toString())) throw new AppError('api/key-in-address');
}

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
  if (!read.success) throw invalidParameter(String(read.error.issues[0]?.path[0] ?? 'query'), 'invalid');
  return read.data;
}

function isWhole(schema: z.core.$ZodType): boolean {
  return z.toJSONSchema(schema).type === 'integer';
}

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Span {
  fromMs: number;
  toMs: number;
}

/**
 * From `from` up to, but not including, `to`: one day unless both are given.
 * @throws AppError `request/invalid` for a span that is empty or longer than `mostDays`
 */
export function readSpan(
  range: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
  mostDays: number,
): Span {
  const from = range.from === undefined ? null : Date.parse(range.from);
  const to = range.to === undefined ? null : Date.parse(range.to);
  const toMs = to ?? (from === null ? nowMs : from + DAY_MS);
  const fromMs = from ?? toMs - DAY_MS;
  if (fromMs >= toMs || toMs - fromMs > mostDays * DAY_MS) {
    throw new AppError('request/invalid', {
      details: { parameter: range.from === undefined ? 'to' : 'from', problem: 'invalid', mostDays },
    });
  }
  return { fromMs, toMs };
}
