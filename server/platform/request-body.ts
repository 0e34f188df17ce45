/** Reads a request's JSON: no more bytes than allowed, valid UTF-8, no NUL character, nested no deeper than is sane. */
import { AppError } from '#domain/errors/app-error.ts';
import { invalidParameter } from './invalid-parameter.ts';

/** An escaped NUL: an odd number of backslashes before u0000. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

/** Lists nested some ten thousand deep overran PGlite's stack and left it with a damaged buffer (measured). */
const MAX_JSON_DEPTH = 64;

/** @throws AppError `request/too-large`, `request/invalid` */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body !== null)
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new AppError('request/too-large', { details: { maxBytes } });
      chunks.push(chunk);
    }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw invalidParameter('body', 'invalid', cause);
  }
  if (text.includes('\0') || ESCAPED_NUL.test(text)) throw invalidParameter('body', 'invalid');
  if (isNestedTooDeep(text)) throw invalidParameter('body', 'invalid');
  return text;
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
