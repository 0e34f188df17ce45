/** Parameters of the record's public addresses. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

/** Lets scripts of any site read the answers. */
export const PUBLIC_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
};

const DAY_MS = 86_400_000;

/** A whole number from 1 on, as text. */
export function wholeText(max: number) {
  return z.string().check(
    z.regex(/^[1-9]\d{0,15}$/),
    z.refine((text) => Number(text) <= max),
  );
}

/** @throws AppError `request/invalid` for an unknown, repeated or invalid parameter */
export function readQuery<T extends z.ZodMiniObject>(c: Context, schema: T): z.infer<T> {
  const { searchParams } = new URL(c.req.url);
  for (const name of searchParams.keys()) {
    if (!Object.hasOwn(schema.shape, name)) throw invalidParameter('query', 'unknown');
    if (searchParams.getAll(name).length > 1) throw invalidParameter(name, 'repeated');
  }
  const read = schema.safeParse(Object.fromEntries(searchParams));
  if (!read.success) throw invalidParameter(String(read.error.issues[0]?.path[0] ?? 'query'), 'invalid');
  return read.data;
}

/** The first millisecond of a day such as 2026-11-25. @throws AppError `request/invalid` */
export function dayMsOf(day: string): number {
  const ms = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // `Date.parse` reads 31 February as a day in March.
  if (!Number.isFinite(ms) || ms % DAY_MS !== 0 || new Date(ms).toISOString().slice(0, 10) !== day)
    throw invalidParameter('day', 'invalid');
  return ms;
}
