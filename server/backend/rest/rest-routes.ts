import { Hono } from 'hono';
import { readText } from '../../platform/http/calls/request-body.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { NO_BOUNDS } from './answer-text.ts';
import type { Relation } from './catalogue.ts';
import { nearestName } from './near-name.ts';
import { preferenceApplied } from './preferences.ts';
import type { Statement } from './query/conditions.ts';
import { parseQuery } from './query/grammar.ts';
import {
  deleteStatement,
  insertStatement,
  readStatement,
  updateStatement,
  type WriteOptions,
} from './query/statement.ts';
import { RestError, toRestError } from './rest-error.ts';
import {
  contentRange,
  execute,
  jsonHeaders,
  MAX_BODY_BYTES,
  pageOf,
  queryPairs,
  type RequestPart,
  type RestContext,
  type RestDeps,
  type RestEnv,
  type RestOutcome,
  type RestRequest,
  readRequest,
  readStatus,
  refuseParts,
  requireJson,
} from './rest-request.ts';
import { callProcedure } from './rpc-route.ts';
import { readRow, readRows } from './write-body.ts';

export function restRoutes(deps: RestDeps): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.onError((error, c) => refuse(error, c, deps.log));
  app.use(async (c, next) => {
    c.set('caller', await deps.callerOf(c.req.raw));
    await next();
    // Rows are for one caller at one moment, so they are never cached.
    c.res.headers.set('cache-control', 'no-store');
  });
  app.all('/rpc/:name', (c) => callProcedure(c, deps, c.req.param('name')));
  app.all('/:relation', (c) => answerRelation(c, deps, c.req.param('relation')));
  app.all('*', () => {
    throw new RestError(404, 'PGRST125', 'Invalid path specified in request URL');
  });
  return app;
}

async function answerRelation(c: RestContext, deps: RestDeps, name: string): Promise<Response> {
  const caller = c.get('caller') ?? (await deps.callerOf(c.req.raw));
  const request = readRequest(c, caller, parseQuery(queryPairs(c)));
  const relation = await relationOf(deps, name);
  switch (c.req.method) {
    case 'GET':
    case 'HEAD':
      return read(c, deps, relation, request);
    case 'POST':
      return insert(c, deps, relation, request);
    case 'PATCH':
      return update(c, deps, relation, request);
    case 'DELETE':
      return remove(deps, relation, request);
    default:
      throw new RestError(405, 'PGRST117', `Unsupported HTTP method: ${c.req.method}`);
  }
}

async function relationOf(deps: RestDeps, name: string): Promise<Relation> {
  const { relations } = await deps.catalogue.current();
  const relation = relations.get(name);
  if (relation !== undefined) return relation;
  const shown = name.slice(0, 63).replaceAll('\0', '?');
  const near = nearestName(name, relations.keys());
  throw new RestError(404, 'PGRST205', `Could not find the table 'public.${shown}' in the schema cache`, {
    ...(near !== null && { hint: `Perhaps you meant the table 'public.${near}'` }),
  });
}

async function read(c: RestContext, deps: RestDeps, relation: Relation, request: RestRequest): Promise<Response> {
  refuseParts(request, 'a read', ['columns', 'on_conflict', 'resolution', 'max-affected']);
  const page = pageOf(c, request.tree);
  const isHead = c.req.method === 'HEAD';
  const statement = readStatement(relation, request.tree, {
    ...NO_BOUNDS,
    ...page,
    body: isHead ? 'none' : request.accept,
    hasTotal: request.prefer.count !== null,
    mustBeOneRow: request.accept === 'object',
  });
  const outcome = await execute(deps.database, request.caller, statement);
  return readAnswer(request, page.offset, outcome, isHead);
}

function readAnswer(request: RestRequest, offset: number, outcome: RestOutcome, isHead: boolean): Response {
  const status = readStatus(offset, outcome.rows, outcome.total);
  const range = contentRange(offset, outcome.rows, outcome.total);
  const headers = {
    ...jsonHeaders(request.accept),
    ...preferenceApplied(request.prefer, 'read'),
    'content-range': range,
  };
  return new Response(isHead ? null : outcome.body, { status, headers });
}

async function insert(c: RestContext, deps: RestDeps, relation: Relation, request: RestRequest): Promise<Response> {
  requireJson(c);
  refuseParts(request, 'an insert', ['filters', 'page', 'max-affected', ...orderWithoutBody(request)]);
  const rows = readRows(await readText(c.req.raw, MAX_BODY_BYTES), request.tree.columns);
  const admitted = rows.count === 0 ? rows : await deps.admitInsert(c, request.caller, relation.name, rows);
  const outcome = await write(deps, request, insertStatement(relation, request.tree, admitted, writeOptions(request)));
  // Without a key the database can't check for duplicates, so the preference was not applied.
  const hasKeys = request.tree.onConflict !== null || relation.primaryKey.length > 0;
  const prefer = hasKeys ? request.prefer : { ...request.prefer, resolution: null };
  const total = outcome.total ?? 0;
  const isAllMerged = request.prefer.resolution === 'merge-duplicates' && total === (outcome.merged ?? 0);
  const status = isAllMerged ? 200 : 201;
  return writeAnswer(request, outcome, status, {
    ...preferenceApplied(prefer, 'insert'),
    'content-range': countRange(request, total),
  });
}

async function update(c: RestContext, deps: RestDeps, relation: Relation, request: RestRequest): Promise<Response> {
  requireJson(c);
  refuseParts(request, 'an update', ['page', 'on_conflict', 'resolution', ...orderWithoutBody(request)]);
  const row = readRow(await readText(c.req.raw, MAX_BODY_BYTES), request.tree.columns);
  const outcome = await write(deps, request, updateStatement(relation, request.tree, row, writeOptions(request)));
  const total = outcome.total ?? 0;
  return writeAnswer(request, outcome, hasBody(request) ? 200 : 204, {
    ...preferenceApplied(request.prefer, 'update'),
    'content-range': contentRange(0, total, request.prefer.count === null ? null : total),
  });
}

async function remove(deps: RestDeps, relation: Relation, request: RestRequest): Promise<Response> {
  refuseParts(request, 'a delete', ['page', 'columns', 'on_conflict', 'resolution', ...orderWithoutBody(request)]);
  const outcome = await write(deps, request, deleteStatement(relation, request.tree, writeOptions(request)));
  return writeAnswer(request, outcome, hasBody(request) ? 200 : 204, {
    ...preferenceApplied(request.prefer, 'delete'),
    'content-range': countRange(request, outcome.total ?? 0),
  });
}

function hasBody({ prefer }: RestRequest): boolean {
  return prefer.return === 'representation';
}

/** Only returned rows can be sorted. */
function orderWithoutBody(request: RestRequest): readonly RequestPart[] {
  return hasBody(request) ? [] : ['order'];
}

function writeOptions(request: RestRequest): WriteOptions {
  const { prefer, accept } = request;
  return {
    body: hasBody(request) ? accept : 'none',
    resolution: prefer.resolution,
    mustBeOneRow: accept === 'object',
    maxAffected: prefer.maxAffected,
  };
}

function write(deps: RestDeps, request: RestRequest, statement: Statement): Promise<RestOutcome> {
  return execute(deps.database, request.caller, statement);
}

function countRange({ prefer }: RestRequest, total: number): string {
  return `*/${prefer.count === null ? '*' : total}`;
}

function writeAnswer(
  request: RestRequest,
  { body }: RestOutcome,
  status: number,
  headers: Record<string, string>,
): Response {
  if (!hasBody(request)) return new Response(null, { status, headers });
  return new Response(body, { status, headers: { ...jsonHeaders(request.accept), ...headers } });
}

function refuse(error: unknown, c: RestContext, log: Logger): Response {
  const isAnonymous = (c.get('caller')?.role ?? 'anon') === 'anon';
  const known = toRestError(error, isAnonymous);
  if (known === null || known.status >= 500)
    log.error({ err: error, path: c.req.path, method: c.req.method }, 'table request failed');
  const answer = known ?? new RestError(500, 'XX000', 'Something went wrong on our side.');
  // A response to HEAD has no body, so the code is also in a header, as in PostgREST.
  const headers = { ...answer.headers, 'proxy-status': `PostgREST; error=${answer.body.code}` };
  return Response.json(answer.body, { status: answer.status, headers });
}
