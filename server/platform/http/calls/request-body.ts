/** Reads a request's JSON with limits on size and nesting; it must be valid UTF-8 without NUL characters. */
import { AppError } from '#domain/errors/app-error.ts';
import { invalidParameter } from './http-errors.ts';

/** An escaped NUL: an odd number of backslashes before u0000. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** Lists nested about ten thousand deep overflowed PGlite's stack and left it with a damaged buffer (measured). */
const MAX_JSON_DEPTH = 64;

/** Reads a whole body. @param signal aborts the read with its reason. @throws AppError `request/too-large` */
export async function readBytes(
  request: Request,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length');
  const declared = Number(length ?? '0');
  if (declared > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
  // No more than the declared length can arrive, so it is read in one piece, which halves the time of a small call.
  const isMeasured = length !== null && /^\d+$/.test(length) && !request.headers.has('transfer-encoding');
  if (isMeasured && signal === undefined) return new Uint8Array(await request.arrayBuffer());
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  await eachChunk(request.body, signal, (chunk) => {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/**
 * Discards the rest, so that a client that is still sending receives the refusal and can reuse its connection.
 * @returns false when too much was left to read, or the client left; the connection should then be closed
 */
export async function drainBody(request: Request, maxBytes: number, timeLimitMs: number): Promise<boolean> {
  if (request.body === null) return true;
  if (request.body.locked) return false;
  let size = 0;
  try {
    await eachChunk(request.body, AbortSignal.timeout(timeLimitMs), (chunk) => {
      size += chunk.byteLength;
      if (size > maxBytes) throw new AppError('request/too-large');
    });
    return true;
  } catch {
    // Too much, too slow, or the client has left: the return value reports it.
    return false;
  }
}

/**
 * Reads without ever cancelling the body, which would cut the connection before a refusal is sent. No promise outlives
 * its chunk: racing each chunk against one long timer held all of them in memory until the timer ended.
 * @throws the signal's reason, any error from `take`, or the body's own error
 */
async function eachChunk(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  const reader = body.getReader();
  // This also ends a pending read.
  const leave = () => reader.releaseLock();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

/** @throws AppError `request/too-large`, `request/invalid` */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const bytes = await readBytes(request, maxBytes);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalidParameter('body', 'invalid', cause);
  }
  requireSaneText(text);
  return text;
}

/** Requires JSON that a database can store. @throws AppError `request/invalid` for a NUL character or deep nesting */
export function requireSaneText(text: string): void {
  if (text.includes('\0') || ESCAPED_NUL.test(text)) throw invalidParameter('body', 'invalid');
  if (isNestedTooDeep(text)) throw invalidParameter('body', 'invalid');
}

/** Scans by hand in one pass, because a regular expression takes quadratic time on an unterminated string. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (isInString && char === '\\') at += 1;
    else if (char === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ']' || char === '}') depth -= 1;
    if (depth > MAX_JSON_DEPTH) return true;
  }
  return false;
}

/** @throws AppError `request/invalid` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidParameter('body', 'invalid', cause);
  }
}

/** @returns undefined for an empty body. @throws AppError `request/too-large`, `request/invalid` */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  return text === '' ? undefined : parseJson(text);
}

/** A page of another origin cannot send this type without a preflight. @throws AppError `request/invalid` */
export function requireJsonType(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') throw invalidParameter('content-type', type === '' ? 'missing' : 'invalid');
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
