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

const text = z.catch(z.optional(z.string()), undefined);

const refusalSchema = z.object({
  /** False in a refusal by the product's rules, which has the status 200. */
  ok: z.catch(z.optional(z.boolean()), undefined),
  code: text,
  error: text,
  message: text,
  reason: text,
  /** A sentence for users that says more than `error`. Other details are for operators. */
  details: z.catch(z.optional(z.object({ message: text })), undefined),
});

/** The body of a refusal, as any route of the server sends it. Each route fills some of the fields. */
export type Refusal = z.infer<typeof refusalSchema>;

/** @returns no fields for a body that is not an object, such as a proxy's page */
export function readRefusal(body: unknown): Refusal {
  // Some routes nest them, as those of programs do.
  const nested = (body as { error?: { code?: string } } | null)?.error;
  const parsed = refusalSchema.safeParse(nested?.code === undefined ? body : nested);
  return parsed.success ? parsed.data : {};
}

export async function refusedCall(
  response: Response,
  otherwise: { code: string; message: string },
): Promise<CallError> {
  const { code, error, message, reason } = readRefusal(await response.json().catch(() => null));
  return new CallError(code ?? otherwise.code, error ?? message ?? reason ?? otherwise.message, response.status);
}

/** It will answer soon: nothing is wrong with the request. */
export function isServerBusy(error: unknown): boolean {
  return error instanceof CallError && error.code === 'server/busy';
}
