/**
 * POST /functions/v1/<name>. The client library hides the body of every response that is not 2xx, so refusals by
 * product rules are sent as 200 with `{ok: false, reason, message}`; errors of the call keep their status.
 */
import { type Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import type { FunctionContract, FunctionContracts } from '#domain/contract/function-contract.ts';
import { type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { step } from '../../telemetry/steps.ts';
import type { CallerReader, SignedInCaller } from './caller.ts';
import { invalidParameter, onlyMethods } from './http-errors.ts';
import { readJsonBody } from './request-body.ts';

/** A JSON object, or its bytes as a stream if it is too large to hold in memory. */
export type FunctionAnswer = Record<string, unknown> | ReadableStream<Uint8Array>;

export interface FunctionCall {
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  caller: SignedInCaller;
  /** The address that rate limits count. */
  address: string;
}

export interface ServerFunction {
  name: string;
  acceptsGet: boolean;
  maxBytes: number;
  /** Codes that are sent as 200 with ok false. */
  refusals: readonly ErrorCode[];
  /** For actions of users who have lost their second factor. */
  isOneFactorEnough: boolean;
  answer(call: FunctionCall): Promise<FunctionAnswer>;
}

export interface ServerFunctionDeps {
  callers: CallerReader;
  /** Default: all callers count as one. */
  clientAddress?(c: Context): string;
}

/** @param options.body any other body is answered 400 with the path of its first fault; `z.unknown()` for no payload */
export function serverFunction<Schema extends z.ZodMiniType>(options: {
  name: string;
  body: Schema;
  acceptsGet?: boolean;
  maxBytes?: number;
  refusals?: readonly ErrorCode[];
  isOneFactorEnough?: boolean;
  handle(call: Omit<FunctionCall, 'body'> & { body: z.output<Schema> }): Promise<FunctionAnswer>;
}): ServerFunction {
  const { name, body: schema, handle } = options;
  return {
    name,
    acceptsGet: options.acceptsGet ?? false,
    maxBytes: options.maxBytes ?? 64 * 1024,
    refusals: options.refusals ?? [],
    isOneFactorEnough: options.isOneFactorEnough ?? false,
    answer: ({ body, ...call }) => handle({ ...call, body: parseBody(schema, body) }),
  };
}

/** What a function returns beside `ok: true`: nothing, or an object. */
type DataOf<Answer> = Answer extends object
  ? keyof Omit<Answer, 'ok'> extends never
    ? // biome-ignore lint/suspicious/noConfusingVoidType: of a handler that returns nothing, or one of several forms
      void
    : Omit<Answer, 'ok'>
  : never;

export type FunctionHandler<Contract extends FunctionContract> = (
  call: Omit<FunctionCall, 'body'> & { body: z.output<Contract['body']> },
) => Promise<DataOf<z.input<Contract['answer']>>>;

/** Answers each function of a part of the contract, and adds `ok: true`. Leaving one out does not compile. */
export function contractFunctions<Contracts extends FunctionContracts>(
  contracts: Contracts,
  handlers: { [Name in keyof Contracts]: FunctionHandler<Contracts[Name]> },
): ServerFunction[] {
  return Object.entries<FunctionContract>(contracts).map(([name, contract]) => {
    const { body, refusals, acceptsGet = false, isOneFactorEnough = false } = contract;
    const handle = (handlers as Readonly<Record<string, FunctionHandler<FunctionContract>>>)[name];
    if (handle === undefined) throw new Error(`Nothing answers ${name}.`);
    return serverFunction({
      name,
      body,
      refusals,
      acceptsGet,
      isOneFactorEnough,
      handle: async (call): Promise<FunctionAnswer> => ({ ok: true, ...((await handle(call)) as object | undefined) }),
    });
  });
}

export function functionRoutes(deps: ServerFunctionDeps, functions: readonly ServerFunction[]): Hono {
  const routes = new Hono().basePath('/functions/v1');
  for (const each of functions) {
    const path = `/${each.name}`;
    const answer = (c: Context) => call(c, each, deps);
    routes.post(path, answer);
    if (each.acceptsGet) routes.get(path, answer);
    routes.all(path, onlyMethods(...(each.acceptsGet ? ['GET', 'HEAD'] : []), 'POST'));
  }
  return routes;
}

async function call(c: Context, wanted: ServerFunction, deps: ServerFunctionDeps): Promise<Response> {
  const request = c.req.raw;
  const { isOneFactorEnough } = wanted;
  const caller = await deps.callers.requireUser(request, { isOneFactorEnough });
  const body = request.method === 'POST' ? await readJsonBody(request, wanted.maxBytes) : undefined;
  const headers = { 'cache-control': 'no-store' };
  try {
    const input = { body, caller, address: deps.clientAddress?.(c) ?? 'unknown' };
    const answer = await step({ kind: 'function', name: wanted.name }, () => wanted.answer(input));
    if (!(answer instanceof ReadableStream)) return Response.json(answer, { headers });
    return new Response(answer, { headers: { ...headers, 'content-type': 'application/json' } });
  } catch (error) {
    if (!isAppError(error) || !wanted.refusals.includes(error.code)) throw error;
    return Response.json({ ok: false, reason: error.code, message: MESSAGES[error.code] }, { headers });
  }
}

function parseBody<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.map(String) ?? [];
  throw invalidParameter(path.join('.') || 'body', at(body, path) === undefined ? 'missing' : 'invalid');
}

function at(value: unknown, path: readonly string[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  return typeof value === 'object' && value !== null ? at(Reflect.get(value, first), rest) : undefined;
}
