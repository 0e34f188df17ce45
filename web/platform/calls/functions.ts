import type * as z from 'zod/mini';
import { doneSchema } from '#domain/contract/function-contract.ts';
import type { ActionName, FunctionBody, FunctionName, FunctionResult } from '#domain/contract/functions.ts';
import { tables } from '../supabase.ts';
import { CallError, refusalIn, refusedCall } from './call-error.ts';
import { inTime } from './time-limit.ts';

const REFUSED = { code: 'unknown', message: 'Something went wrong on our side.' };

/**
 * @param bearer  instead of the caller's own
 * @returns the body, also of a refusal with status 200 (`{ok: false, reason, message}`)
 * @throws CallError for any other status, and with the code `network` if the server cannot be reached
 */
export async function callFunction<Name extends FunctionName>(
  name: Name,
  body: FunctionBody<Name>,
  bearer?: string,
): Promise<unknown> {
  const client = await tables();
  const headers = new Headers(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` });
  const init: RequestInit = { method: 'POST', headers };
  if (isPlainObject(body)) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  const response = await client.request(`/functions/v1/${name}`, init).catch(unreachable);
  if (!response.ok) throw await refusedCall(response, REFUSED);
  return response.json().catch(unreachable);
}

/**
 * Calls a function that reports refusals in a 200 body (`ok: false`), and validates its answer.
 * @throws CallError with the refusal's code or `network`; DOMException if it does not answer in time
 */
export function callTypedFunction<Name extends FunctionName, T>(
  name: Name,
  body: FunctionBody<Name> & object,
  schema: z.ZodMiniType<T> & Fits<Name, T>,
  signal?: AbortSignal,
): Promise<T> {
  return callParsed(name, body, schema, signal);
}

/** The same for a function that returns nothing. */
export async function callAction<Name extends ActionName>(
  name: Name,
  body: FunctionBody<Name> & object,
  signal?: AbortSignal,
): Promise<void> {
  await callParsed(name, body, doneSchema, signal);
}

/** A page may read less than the function returns, or one of several forms, but nothing else. */
export type Fits<Name extends FunctionName, T> = [Extract<FunctionResult<Name>, T>] extends [never] ? never : unknown;

/** For callers whose types have compared body and schema already. */
export async function callParsed<Name extends FunctionName, T>(
  name: Name,
  body: FunctionBody<Name>,
  schema: z.ZodMiniType<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const answer = await inTime(signal, () => callFunction(name, body));
  const refusal = refusalIn(answer);
  if (refusal !== null) throw refusal;
  return schema.parse(answer);
}

function isPlainObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null;
}

function unreachable(error: unknown): never {
  throw new CallError('network', 'We couldn’t reach the server.', 0, error);
}
