/** Parsed with its headers and its page, run under the caller's role, answered in the protocol's form. */
import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Core } from '../../core.ts';
import { type Database, type DatabaseCaller, SqlError } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/calls/caller.ts';
import { NOT_ONE_ROW, TOO_LARGE, TOO_MANY_AFFECTED } from './answer-text.ts';
import type { CatalogueReader } from './catalogue.ts';
import {
  OBJECT_TYPE,
  type RestPreferences,
  rangeNotSatisfiable,
  readAccept,
  readPreferences,
  readRange,
  requireExposedSchema,
} from './preferences.ts';
import type { Statement } from './query/conditions.ts';
import { MAX_ANSWER_BYTES, MAX_QUERY_LENGTH, MAX_ROWS, type QueryTree } from './query/query-tree.ts';
import { isTimeLimit, notUnderstood, RestError } from './rest-error.ts';
import type { WrittenRows } from './write-body.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

export interface RestDeps extends Pick<Core, 'database' | 'log'> {
  catalogue: CatalogueReader;
  /** The caller, by api key and bearer token. @throws RestError 401, AppError `auth/bad-token`, `auth/session-ended` */
  callerOf(request: Request): Promise<Caller>;
  /** Called before rows are inserted into a table. @returns the rows to insert. @throws AppError `request/too-many` */
  admitInsert(c: Context, caller: Caller, table: string, rows: WrittenRows): Promise<WrittenRows>;
}

/** Stores the caller with the request, because a refusal differs for a visitor (401) and a user (403). */
export interface RestEnv {
  Variables: { caller: Caller | undefined };
}

export type RestContext = Context<RestEnv>;

export interface RestRequest {
  caller: Caller;
  tree: QueryTree;
  prefer: RestPreferences;
  accept: 'array' | 'object';
}

/** The query string's pairs. @throws RestError PGRST100 when it is too long */
export function queryPairs(c: RestContext): [string, string][] {
  const { search, searchParams } = new URL(c.req.url);
  if (search.length > MAX_QUERY_LENGTH) throw notUnderstood(`a query of more than ${MAX_QUERY_LENGTH} characters`);
  return [...searchParams];
}

export type RequestPart = 'filters' | 'order' | 'page' | 'columns' | 'on_conflict' | 'resolution' | 'max-affected';

/** Refuses parts that this kind of request doesn't use, instead of ignoring them. @throws RestError PGRST100 */
export function refuseParts(request: RestRequest, what: string, parts: readonly RequestPart[]): void {
  const { tree, prefer } = request;
  const isPresent: Record<RequestPart, boolean> = {
    filters: tree.filters.length > 0,
    order: tree.order.length > 0,
    page: tree.limit !== null || tree.offset !== null,
    columns: tree.columns !== null,
    on_conflict: tree.onConflict !== null,
    resolution: prefer.resolution !== null,
    'max-affected': prefer.maxAffected !== null,
  };
  const refused = parts.filter((part) => isPresent[part]);
  if (refused.length > 0) throw notUnderstood(`${refused.join(', ')} in ${what}`, refused.join(', '));
}

export function readRequest(c: RestContext, caller: Caller, tree: QueryTree): RestRequest {
  requireExposedSchema(c.req.header('accept-profile'));
  requireExposedSchema(c.req.header('content-profile'));
  return {
    caller,
    tree,
    prefer: readPreferences(c.req.header('prefer')),
    accept: readAccept(c.req.header('accept')),
  };
}

/**
 * The rows of the page: the intersection of `limit`, `offset` and the Range header, never more than the bound. An offset
 * below zero begins before the first row. @throws RestError 416 for an empty page, unless `limit=0` requests it
 */
export function pageOf(c: RestContext, tree: QueryTree): { offset: number; limit: number } {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const range = isRead ? readRange(c.req.header('range')) : null;
  const offset = Math.max(0, tree.offset ?? 0, range?.from ?? 0);
  const ends = [offset + MAX_ROWS];
  if (tree.limit !== null) ends.push((tree.offset ?? 0) + tree.limit);
  if (range !== null && range.to !== null) ends.push(range.to + 1);
  const limit = Math.min(...ends) - offset;
  if (limit <= 0 && tree.limit !== null && tree.limit !== 0)
    throw rangeNotSatisfiable('Limit should be greater than or equal to zero.');
  return { offset, limit: Math.max(0, limit) };
}

export function requireJson(c: RestContext): void {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json')
    throw new RestError(415, 'PGRST102', 'Content-Type not acceptable: only application/json is accepted');
}

export interface RestOutcome {
  /** JSON text; null when no body was requested. */
  body: string | null;
  rows: number;
  total: number | null;
  /** How many rows of an upsert existed already. */
  merged?: number | undefined;
}

const outcomeRow = z.object({
  body: z.nullable(z.string()),
  rows: z.number(),
  total: z.nullable(z.coerce.number()),
  merged: z.optional(z.number()),
});

/**
 * One statement, one round trip; if it fails, its writes are undone.
 * @throws RestError 406 PGRST116 when the answer must be one row and is not, 400 PGRST124 when a write changes more
 * rows than it may; SqlError and AppError of the database
 */
export async function execute(database: Database, caller: DatabaseCaller, statement: Statement): Promise<RestOutcome> {
  try {
    const rows = await queryAgainWhenSlow(database, caller, statement);
    return outcomeRow.parse(rows[0]);
  } catch (error) {
    throw (error instanceof SqlError ? castRefusal(error) : null) ?? error;
  }
}

/**
 * On a busy machine even a cheap statement may exceed the limit (measured). A canceled statement leaves nothing behind,
 * so one retry is safe, also for writes, which the client library doesn't repeat.
 */
async function queryAgainWhenSlow(database: Database, caller: DatabaseCaller, { text, params, limitMs }: Statement) {
  const options = { isPrepared: true, ...(limitMs === undefined ? {} : { callerLimitMs: limitMs }) };
  try {
    return await database.query(caller, text, params, options);
  } catch (error) {
    if (!isTimeLimit(error)) throw error;
    return database.query(caller, text, params, options);
  }
}

const CAST_REFUSAL = new RegExp(`"(${NOT_ONE_ROW}|${TOO_MANY_AFFECTED}|${TOO_LARGE})(\\d+)"`);

/** A refusal by the statement itself, through a failing cast: see answer-text.ts. */
function castRefusal(error: SqlError): RestError | null {
  if (error.code !== '22P02') return null;
  const [, kind, figure] = CAST_REFUSAL.exec(error.message) ?? [];
  if (kind === NOT_ONE_ROW)
    return new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
      details: `The result contains ${figure} rows`,
    });
  if (kind === TOO_MANY_AFFECTED)
    return new RestError(400, 'PGRST124', 'Query result exceeds max-affected preference constraint', {
      details: `The query affects ${figure} rows`,
    });
  if (kind === TOO_LARGE)
    return new RestError(400, 'PGRST100', `The answer is larger than ${MAX_ANSWER_BYTES} bytes`, {
      details: `It has ${figure} bytes`,
      hint: 'Request fewer rows or fewer columns',
    });
  return null;
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonHeaders(accept: 'array' | 'object'): Record<string, string> {
  return { 'content-type': accept === 'object' ? `${OBJECT_TYPE}; charset=utf-8` : JSON_TYPE };
}

/** `0-9/57`, `0-9/*`, or `*` before the slash without rows. */
export function contentRange(offset: number, rows: number, total: number | null): string {
  const span = rows === 0 ? '*' : `${offset}-${offset + rows - 1}`;
  return `${span}/${total ?? '*'}`;
}

/** 200, or 206 when the page is part of a known total. @throws RestError 416 when the page is past the end */
export function readStatus(offset: number, rows: number, total: number | null): 200 | 206 {
  if (total === null) return 200;
  if (offset > total)
    throw rangeNotSatisfiable(`An offset of ${offset} was requested, but there are only ${total} rows.`, total);
  return rows < total ? 206 : 200;
}
