/** Server functions, called with the caller's bearer token. */
import * as z from 'zod/mini';
import { tables } from '../supabase.ts';
import { CallError } from './call-error.ts';
import { inTime } from './time-limit.ts';

const refusalSchema = z.object({
  code: z.optional(z.string()),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
  reason: z.optional(z.string()),
});

/**
 * @param bearer  of a session that is not usable for anything else yet; by default the caller's own is sent
 * @returns the answer's body, including a refusal in a 200 body (`{ok: false, reason, message}`)
 * @throws CallError for any other status, and with the code `network` if the server cannot be reached
 */
export async function callFunction(name: string, body: unknown, bearer?: string): Promise<unknown> {
  const client = await tables();
  const headers = new Headers(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` });
  const init: RequestInit = { method: 'POST', headers };
  if (isPlainObject(body)) {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(body);
  }
  const response = await client.ask(`/functions/v1/${name}`, init).catch(unreachable);
  if (!response.ok) throw await toCallError(response);
  return response.json().catch(unreachable);
}

const refusalInBodySchema = z.object({ ok: z.literal(false), reason: z.string(), message: z.optional(z.string()) });

/**
 * Calls a function that reports refusals in a 200 body (`ok: false`), and validates its answer.
 * @throws CallError for every refusal, its reason as `code`; with the code `network` if the server cannot be reached
 * @throws DOMException if it does not answer in time
 */
export async function callTypedFunction<T>(
  name: string,
  body: object,
  schema: z.ZodMiniType<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const answer = await inTime(signal, () => callFunction(name, body));
  const refusal = refusalInBodySchema.safeParse(answer);
  if (refusal.success) throw new CallError(refusal.data.reason, refusal.data.message ?? refusal.data.reason, 200);
  return schema.parse(answer);
}

function isPlainObject(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null;
}

/** No answer, or an interrupted one. */
function unreachable(error: unknown): never {
  throw new CallError('network', 'The server could not be reached.', 0, error);
}

async function toCallError(response: Response): Promise<CallError> {
  const parsed = refusalSchema.safeParse(await readJson(response));
  const refusal = parsed.success ? parsed.data : {};
  const message = refusal.error ?? refusal.message ?? refusal.reason ?? 'Something went wrong on our side.';
  return new CallError(refusal.code ?? 'unknown', message, response.status);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    // A proxy's HTML page or an empty body: only the status is left.
    return null;
  }
}
