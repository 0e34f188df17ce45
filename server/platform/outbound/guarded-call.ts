/** Calls services whose answers matter: reads them whole, up to a limit. */
import type { IncomingMessage } from 'node:http';
import { readRetryAfterMs } from './foreign-answer.ts';
import { CallFailed, type GuardOptions, guardedRequest, type OutboundRequest } from './guarded-request.ts';

export interface CallRequest extends Omit<OutboundRequest, 'timeoutMs'> {
  /** Default 10 s. */
  timeoutMs?: number;
  /** Of the answer. Default 64 KB. */
  maxBytes?: number;
}

export interface CallAnswer {
  status: number;
  body: string;
  /** From the head of the answer. */
  retryAfterMs: number | null;
}

/** @throws CallFailed; the signal's reason on abort */
export type GuardedCall = (url: string, request: CallRequest) => Promise<CallAnswer>;

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export function guardedCall(guard: GuardOptions): GuardedCall {
  return (address, { maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, ...request }) =>
    guardedRequest(address, { ...request, timeoutMs }, guard, async (answer) => ({
      status: answer.statusCode ?? 0,
      body: await wholeOf(answer, maxBytes),
      retryAfterMs: readRetryAfterMs(answer.headers['retry-after'] ?? null),
    }));
}

/** A longer answer is not read to its end: leaving the loop closes the connection. */
async function wholeOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    const part = Buffer.from(chunk);
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new CallFailed('too large');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8').toWellFormed();
}
