/** /rest/v1/rpc/<function>: POST with an object of named arguments; GET and HEAD for functions that change nothing. */
import { isPlainObject, parseJson, readText } from '../../platform/http/calls/request-body.ts';
import type { Catalogue, Procedure } from './catalogue.ts';
import { preferenceApplied } from './preferences.ts';
import { isOperation } from './query/filter-grammar.ts';
import { GROUP_KEY, parseQuery, SINGLE_KEYS } from './query/grammar.ts';
import { MAX_NAMES } from './query/query-tree.ts';
import { invalidBody, notUnderstood, RestError } from './rest-error.ts';
import {
  contentRange,
  execute,
  jsonHeaders,
  MAX_BODY_BYTES,
  pageOf,
  queryPairs,
  type RestContext,
  type RestDeps,
  readRequest,
  readStatus,
  refuseParts,
  requireJson,
} from './rest-request.ts';
import { type Arguments, callStatement, chooseProcedure } from './rpc.ts';

export async function callProcedure(c: RestContext, deps: RestDeps, name: string): Promise<Response> {
  const caller = c.get('caller') ?? (await deps.callerOf(c.req.raw));
  const catalogue = await deps.catalogue.current();
  const method = c.req.method;
  if (method !== 'POST' && method !== 'GET' && method !== 'HEAD')
    throw new RestError(405, 'PGRST101', 'Only GET, HEAD and POST methods are allowed on functions');
  const isRead = method !== 'POST';
  const pairs = queryPairs(c);
  const { args, rest } = isRead
    ? argumentsOfQuery(catalogue, name, pairs)
    : { args: await argumentsOfBody(c), rest: pairs };
  const request = readRequest(c, caller, parseQuery(rest));
  refuseParts(request, 'a call', ['columns', 'on_conflict', 'resolution']);
  const procedure = chooseProcedure(catalogue, name, args.names);
  if (isRead && procedure.isVolatile)
    throw new RestError(405, '25006', 'A function that may write must be called by POST');
  if (request.prefer.maxAffected !== null && !procedure.returnsSet)
    throw new RestError(
      400,
      'PGRST128',
      'Function must return SETOF or TABLE when max-affected preference is used with handling=strict',
    );

  const requested = pageOf(c, request.tree);
  const page = procedure.returnsSet ? { ...requested, limit: Math.min(requested.limit, procedure.maxRows) } : requested;
  const body = method === 'HEAD' || request.prefer.return === 'minimal' ? 'none' : bodyKind(procedure, request.accept);
  const statement = callStatement(procedure, args, request.tree, {
    ...page,
    body,
    hasTotal: request.prefer.count !== null,
    mustBeOneRow: procedure.returnsSet && request.accept === 'object',
    maxAffected: request.prefer.maxAffected,
  });
  const limit = procedure.limitMs === null ? {} : { limitMs: procedure.limitMs };
  const outcome = await execute(deps.database, caller, { ...statement, ...limit });
  const applied = preferenceApplied(request.prefer, 'call');
  if (procedure.returns === 'void') return new Response(null, { status: 204, headers: applied });
  const range = { ...applied, 'content-range': contentRange(page.offset, outcome.rows, outcome.total) };
  if (body === 'none' && method !== 'HEAD') return new Response(null, { status: 204, headers: range });
  const hasRows = procedure.returns === 'row' || procedure.returnsSet;
  const headers = { ...jsonHeaders(hasRows ? request.accept : 'array'), ...range };
  const status = readStatus(page.offset, outcome.rows, outcome.total);
  return new Response(method === 'HEAD' ? null : (outcome.body ?? 'null'), { status, headers });
}

function bodyKind(procedure: Procedure, accept: 'array' | 'object'): 'array' | 'object' {
  return procedure.returns === 'row' && !procedure.returnsSet ? 'object' : accept;
}

async function argumentsOfBody(c: RestContext): Promise<Arguments> {
  requireJson(c);
  const text = await readText(c.req.raw, MAX_BODY_BYTES);
  const parsed = text.trim() === '' ? {} : parseJson(text);
  if (!isPlainObject(parsed)) throw invalidBody('Arguments must be one JSON object');
  const names = Object.keys(parsed);
  if (names.length > MAX_NAMES) throw invalidBody(`At most ${MAX_NAMES} arguments can be given`);
  return { kind: 'json', names, text };
}

/**
 * Pairs named like an argument are arguments, and so are unknown ones whose value is no filter: no function fits them.
 * The rest filters the rows of the result.
 */
function argumentsOfQuery(
  catalogue: Catalogue,
  name: string,
  pairs: readonly [string, string][],
): { args: Arguments; rest: [string, string][] } {
  const overloads = catalogue.procedures.get(name) ?? [];
  const known = new Set(overloads.flatMap((procedure) => procedure.args.map((arg) => arg.name)));
  const values = new Map<string, string>();
  const rest: [string, string][] = [];
  for (const [key, value] of pairs) {
    const mayBeArgument = !SINGLE_KEYS.has(key) && !GROUP_KEY.test(key) && !key.includes('.') && !isOperation(value);
    // If no function has this name, everything counts as an argument, so that the answer is 404 and not a parse error.
    const isArgument = known.has(key) || mayBeArgument || (overloads.length === 0 && !SINGLE_KEYS.has(key));
    if (!isArgument) rest.push([key, value]);
    else if (values.has(key) || value.includes('\0')) throw notUnderstood('an argument', key);
    else values.set(key, value);
  }
  return { args: { kind: 'text', names: [...values.keys()], values }, rest };
}
