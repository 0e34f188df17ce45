/** Calls server functions that report refusals in the body (`ok: false`), and validates their answers. */
import * as z from 'zod/mini';
import { CallError } from './call-error.ts';
import { callFunction } from './functions.ts';
import { inTime } from './time-limit.ts';

const refusalSchema = z.object({ ok: z.literal(false), reason: z.string(), message: z.optional(z.string()) });

/**
 * @throws CallError for every refusal, its reason as `code`; with the code `network` if the server cannot be reached
 * @throws DOMException if it does not answer in time
 */
export async function askFunction<T>(
  name: string,
  body: object,
  schema: z.ZodMiniType<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> {
  const answer = await inTime(signal, () => callFunction(name, body));
  const refusal = refusalSchema.safeParse(answer);
  if (refusal.success) throw new CallError(refusal.data.reason, refusal.data.message ?? refusal.data.reason, 200);
  return schema.parse(answer);
}
