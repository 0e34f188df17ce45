/** Reads a request's JSON: no more bytes than allowed, valid UTF-8, no NUL character anywhere. */
import { AppError } from '#domain/errors/app-error.ts';

/** An escaped NUL: an odd number of backslashes before u0000. */
const ESCAPED_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

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
    throw new AppError('request/invalid', { cause });
  }
  if (text.includes('\0') || ESCAPED_NUL.test(text)) throw new AppError('request/invalid');
  return text;
}

/** @throws AppError `request/invalid` */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('request/invalid', { cause });
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
