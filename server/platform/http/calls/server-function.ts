/**
 * POST /functions/v1/<name>. The client library hides the body of every response that is not 2xx, so refusals by
 * product rules are sent as 200 with `ok: false`; errors of the call keep their status.
 */
import { type Context, Hono } from 'hono';
import type * as z from 'zod/mini';
import type { FunctionContract, FunctionContracts, FunctionForm } from '#domain/contract/function-contract.ts';
import { type ErrorCode, isAppError } from '#domain/errors/app-error.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { step } from '../../telemetry/steps.ts';
import type { CallerReader, SignedInCaller } from './caller.ts';
import { invalidParameter, onlyMethods } from './http-errors.ts';
import { readJsonBody } from './request-body.ts';

/** A JSON object, or its bytes as a stream if it is too large to hold in memory. */
export type FunctionAnswer = object | ReadableStream<Uint8Array>;

export interface FunctionCall {
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  caller: SignedInCaller;
  /** The address that rate limits count. */
  address: string;
}

export interface ServerFunction {
  name: string;
  contract: FunctionContract;
  answer(call: FunctionCall): Promise<FunctionAnswer>;
}

export interface ServerFunctionDeps {
  callers: CallerReader;
  /** Default: all callers count as one. */
  clientAddress?(c: Context): string;
  /** Needed where a function is for admins. @throws AppError `auth/forbidden` */
  requireAdmin?(caller: SignedInCaller): Promise<void>;
}

type Form<Contract extends FunctionContract> = Contract extends { form: infer Named } ? Named : 'plain';

/** What a handler returns: by its contract a stream, the whole answer, or what stands beside `ok: true`, if anything does. */
type Handled<Contract extends FunctionContract> = Contract extends { isStreamed: true }
  ? ReadableStream<Uint8Array>
  : Form<Contract> extends 'plans'
    ? z.input<Contract['answer']>
    : BesideOk<z.input<Contract['answer']>>;

type BesideOk<Answer> = Answer extends object
  ? keyof Omit<Answer, 'ok'> extends never
    ? // biome-ignore lint/suspicious/noConfusingVoidType: of a handler that returns nothing, or one of several forms
      void
    : Omit<Answer, 'ok'>
  : never;

export type FunctionHandler<Contract extends FunctionContract> = (
  call: Omit<FunctionCall, 'body'> & { body: z.output<Contract['body']> },
) => Promise<Handled<Contract>>;

export type FunctionHandlers<Contracts extends FunctionContracts> = {
  [Name in keyof Contracts]: FunctionHandler<Contracts[Name]>;
};

/** Answers each function of a part of the contract. Leaving one out does not compile. */
export function contractFunctions<Contracts extends FunctionContracts>(
  contracts: Contracts,
  handlers: FunctionHandlers<Contracts>,
): ServerFunction[] {
  return Object.entries<FunctionContract>(contracts).map(([name, contract]) => {
    const handle = (handlers as Readonly<Record<string, FunctionHandler<FunctionContract>>>)[name];
    if (handle === undefined) throw new Error(`Nothing answers ${name}.`);
    return {
      name,
      contract,
      async answer({ body, ...call }): Promise<FunctionAnswer> {
        const handled = (await handle({ ...call, body: parseBody(contract.body, body) })) as object | undefined;
        if (handled instanceof ReadableStream || contract.form === 'plans') return handled ?? {};
        return { ok: true, ...handled };
      },
    };
  });
}

/** @throws Error if a function is for admins and nothing tells who is one */
export function functionRoutes(deps: ServerFunctionDeps, functions: readonly ServerFunction[]): Hono {
  const routes = new Hono().basePath('/functions/v1');
  for (const each of functions) {
    const { acceptsGet = false, isForAdmins = false } = each.contract;
    if (isForAdmins && deps.requireAdmin === undefined) throw new Error(`${each.name} needs to know who is an admin.`);
    const path = `/${each.name}`;
    const answer = (c: Context) => call(c, each, deps);
    routes.post(path, answer);
    if (acceptsGet) routes.get(path, answer);
    routes.all(path, onlyMethods(...(acceptsGet ? ['GET', 'HEAD'] : []), 'POST'));
  }
  return routes;
}

const MAX_BYTES = 64 * 1024;

async function call(
  c: Context,
  { name, contract, answer }: ServerFunction,
  deps: ServerFunctionDeps,
): Promise<Response> {
  const request = c.req.raw;
  const { isOneFactorEnough = false, maxBytes = MAX_BYTES, refusals, form } = contract;
  const caller = await deps.callers.requireUser(request, { isOneFactorEnough });
  const body = request.method === 'POST' ? await readJsonBody(request, maxBytes) : undefined;
  const headers = { 'cache-control': 'no-store' };
  try {
    const input = { body, caller, address: deps.clientAddress?.(c) ?? 'unknown' };
    const answered = await step({ kind: 'function', name }, async () => {
      if (contract.isForAdmins === true) await deps.requireAdmin?.(caller);
      return answer(input);
    });
    if (!(answered instanceof ReadableStream)) return Response.json(answered, { headers });
    return new Response(answered, { headers: { ...headers, 'content-type': 'application/json' } });
  } catch (error) {
    if (!isAppError(error) || !refusals.includes(error.code)) throw error;
    const { message = MESSAGES[error.code] } = error.details;
    return Response.json(refusalBody(error.code, String(message), form), { headers });
  }
}

function refusalBody(code: ErrorCode, message: string, form: FunctionForm = 'plain'): FunctionAnswer {
  return form === 'plans' ? { ok: false, error: message, reason: message, code } : { ok: false, reason: code, message };
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
