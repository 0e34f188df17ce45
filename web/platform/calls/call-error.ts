import * as z from 'zod/mini';

/** A call to the server that was refused, unanswered, or interrupted. `message` can be shown to users. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The server's code, or one of ours: `network`, `unknown`, `stream/lost`, `stream/refused`, `stream/bad-json`. */
  readonly code: string;
  /** HTTP status of the refusal; 0 without a complete answer. */
  readonly status: number;

  constructor(code: string, message: string, status: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
  }
}

/** An empty text says nothing. */
const text = z.catch(z.optional(z.string().check(z.minLength(1))), undefined);

const bodySchema = z.object({
  ok: z.catch(z.optional(z.boolean()), undefined),
  code: text,
  error: text,
  message: text,
  reason: text,
  details: z.catch(z.optional(z.object({ message: text })), undefined),
});

export interface Refusal {
  /** False in a function's refusal by the product's rules, which has the status 200. */
  ok?: boolean | undefined;
  code?: string | undefined;
  /** For users. */
  message?: string | undefined;
}

/**
 * Reads an error in either form: `{error, code, details?}` of any route, where `details.message` says more than `error`,
 * or a function's `{ok: false, reason, message}`, where `reason` is the code. Functions for plans send both.
 *
 * @returns no fields for a body that is not an object, such as a proxy's page
 */
export function readRefusal(body: unknown): Refusal {
  const { success, data } = bodySchema.safeParse(body);
  if (!success) return {};
  const { ok, code, error, message, reason, details } = data;
  return {
    ok,
    code: code ?? (error === undefined ? reason : undefined),
    message: details?.message ?? error ?? message,
  };
}

/** The error of a function's refusal, which has the status 200; null for any other answer, also for one that gives no reason. */
export function refusalIn(answer: unknown): CallError | null {
  const { ok, code, message = code } = readRefusal(answer);
  return ok === false && message !== undefined ? new CallError(code ?? 'unknown', message, 200) : null;
}

export async function refusedCall(
  response: Response,
  otherwise: { code: string; message: string },
): Promise<CallError> {
  const { code = otherwise.code, message = otherwise.message } = readRefusal(await response.json().catch(() => null));
  return new CallError(code, message, response.status);
}

/** It will answer soon: nothing is wrong with the request. */
export function isServerBusy(error: unknown): boolean {
  return error instanceof CallError && error.code === 'server/busy';
}
