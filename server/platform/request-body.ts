/** Reads a request's JSON: no more bytes than allowed, valid UTF-8, no NUL character, nested no deeper than is sane. */
import { AppError } from '#domain/errors/app-error.ts';
import { invalidParameter } from './invalid-parameter.ts';

/** An escaped NUL: an odd number of backslashes before u0000. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** Lists nested some ten thousand deep overran PGlite's stack and left it with a damaged buffer (measured). */
const MAX_JSON_DEPTH = 64;

/**
 * A whole body.
 * @param signal  ends the reading with its own reason
 * @throws AppError `request/too-large`
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const length = request.headers.get('content-length');
  const declared = Number(length ?? '0');
  if (declared > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
  // No more than was declared ever arrives, so it is taken in one piece: half the time of a small call.
  const isMeasured = length !== null && /^\d+$/.test(length) && !request.headers.has('transfer-encoding');
  if (isMeasured && signal === undefined) return new Uint8Array(await request.arrayBuffer());
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const aborted = whenAborted(signal);
  // Never cancelled: that would cut the connection before the refusal has left.
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
      chunks.push(value);
    }
  } finally {
    reader.releaseLock();
  }
}

function whenAborted(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Takes in what is left of a body and forgets it, so that a client that is still sending hears the refusal and may use its
 * connection again.
 * @returns false when more was left than is worth taking: the connection should be closed
 */
export async function drainBody(request: Request, maxBytes: number, timeLimitMs: number): Promise<boolean> {
  if (request.body === null) return true;
  if (request.body.locked) return false;
  const timeout = new Promise<null>((over) => setTimeout(over, timeLimitMs, null).unref());
  const reader = request.body.getReader();
  try {
    for (let size = 0; size <= maxBytes; ) {
      const read = await Promise.race([reader.read(), timeout]);
      if (read === null) return false;
      if (read.done) return true;
      size += read.value.byteLength;
    }
    return false;
  } catch {
    // The client left: there is nobody to answer.
    return false;
  } finally {
    reader.releaseLock();
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

/** JSON that a database can hold. @throws AppError `request/invalid` for a NUL character and for deep nesting */
export function requireSaneText(text: string): void {
  if (text.includes('\0') || ESCAPED_NUL.test(text)) throw invalidParameter('body', 'invalid');
  if (isNestedTooDeep(text)) throw invalidParameter('body', 'invalid');
}

/** By hand and in one pass: a regular expression takes quadratic time on a string that never ends. */
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

/**
 * A whole JSON body.
 * @returns undefined for an empty body
 * @throws AppError `request/too-large`, `request/invalid`
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  const text = await readText(request, maxBytes);
  return text === '' ? undefined : parseJson(text);
}

/** A page of another origin cannot send this type without asking first. @throws AppError `request/invalid` */
export function requireJsonType(request: Request): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json') throw invalidParameter('content-type', type === '' ? 'missing' : 'invalid');
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
