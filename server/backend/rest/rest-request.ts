import type { Context } from 'hono';
import type { Database } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/calls/caller.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { CatalogueReader } from './catalogue.ts';
import { type Preferences, readAccept, readPreferences, readRange, requireExposedSchema } from './preferences.ts';
import { MAX_QUERY_LENGTH, MAX_ROWS, type QueryTree } from './query/query-tree.ts';
import { notUnderstood, RestError } from './rest-error.ts';
import type { WrittenRows } from './write-body.ts';

export const MAX_BODY_BYTES = 1024 * 1024;

export interface RestDeps {
  database: Database;
  catalogue: CatalogueReader;
  log: Logger;
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
  prefer: Preferences;
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
export function refuseParts(asked: RestRequest, what: string, parts: readonly RequestPart[]): void {
  const { tree, prefer } = asked;
  const isGiven: Record<RequestPart, boolean> = {
    filters: tree.filters.length > 0,
    order: tree.order.length > 0,
    page: tree.limit !== null || tree.offset !== null,
    columns: tree.columns !== null,
    on_conflict: tree.onConflict !== null,
    resolution: prefer.resolution !== null,
    'max-affected': prefer.maxAffected !== null,
  };
  const given = parts.filter((part) => isGiven[part]);
  if (given.length > 0) throw notUnderstood(`${given.join(', ')} in ${what}`, given.join(', '));
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

/** The rows of the page: the intersection of `limit`, `offset` and the Range header, never more than the bound. */
export function pageOf(c: RestContext, tree: QueryTree): { offset: number; limit: number } {
  const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
  const range = isRead ? readRange(c.req.header('range')) : null;
  const offset = Math.max(tree.offset ?? 0, range?.from ?? 0);
  const ends = [offset + MAX_ROWS];
  if (tree.limit !== null) ends.push((tree.offset ?? 0) + tree.limit);
  if (range !== null && range.to !== null) ends.push(range.to + 1);
  return { offset, limit: Math.max(0, Math.min(...ends) - offset) };
}

export function requireJson(c: RestContext): void {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== undefined && type !== 'application/json')
    throw new RestError(415, 'PGRST102', 'Content-Type not acceptable: only application/json is');
}
