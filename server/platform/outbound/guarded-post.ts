/** Posts to addresses supplied by strangers, and reads no more of the answer than its first characters. */
import type { IncomingMessage } from 'node:http';
import { readRetryAfterMs } from './foreign-answer.ts';
import { type GuardOptions, guardedRequest } from './guarded-request.ts';

export interface GuardedPostOptions extends GuardOptions {
  /** Time limit of the whole call. */
  timeoutMs: number;
  /** Characters of the answer that are returned. */
  startLength: number;
}

export interface PostAnswer {
  status: number;
  /** The beginning of the body if it is text; else empty. */
  start: string;
  /** As requested by the receiver; null if it requests nothing. */
  retryAfterMs: number | null;
}

/** @throws CallFailed; the signal's reason on abort */
export type GuardedPost = (
  url: string,
  request: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
) => Promise<PostAnswer>;

/** The beginning of an answer is usually there with its head. No caller waits longer for it: the status has decided. */
const START_WAIT_MS = 250;

export function guardedPost({ timeoutMs, startLength, ...guard }: GuardedPostOptions): GuardedPost {
  return (address, request) =>
    guardedRequest(address, { ...request, method: 'POST', timeoutMs }, guard, async (answer) => ({
      status: answer.statusCode ?? 0,
      start: await startOf(answer, startLength),
      retryAfterMs: readRetryAfterMs(answer.headers['retry-after'] ?? null),
    }));
}

/** Never rejects: an answer that breaks off has still given its status. Closes the connection. */
async function startOf(answer: IncomingMessage, length: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const enough = Promise.withResolvers<void>();
  // A character has at most four bytes.
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= length * 4) enough.resolve();
  });
  for (const event of ['end', 'error', 'close'] as const) answer.once(event, () => enough.resolve());
  const timer = setTimeout(() => enough.resolve(), START_WAIT_MS);
  await enough.promise;
  clearTimeout(timer);
  answer.on('error', () => undefined);
  answer.destroy();
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') return '';
  return readable(Buffer.concat(chunks).subarray(0, length * 4), length);
}

/** Empty for bytes that are no text. */
function readable(bytes: Buffer, length: number): string {
  if (bytes.includes(0)) return '';
  const text = bytes
    .toString('utf8')
    .toWellFormed()
    .replace(/[\p{Cc}\uFFFD]+/gu, ' ');
  return [...text.trim()].slice(0, length).join('');
}
