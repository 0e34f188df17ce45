/** The client library sends a Blob as a form whose file has an empty name, and all else as the raw body. */
import * as z from 'zod/mini';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { parseJson, readBytes, requireSaneText } from '../../platform/http/calls/request-body.ts';
import { invalidRequest, StorageRefusal } from './storage-refusal.ts';

export interface Upload {
  bytes: Uint8Array;
  /** As it is stored and served, for example `max-age=3600`. */
  cacheControl: string;
  /** The uploader's own metadata; null if none was sent. */
  userMetadata: Readonly<Record<string, unknown>> | null;
}

/** The limit of the whole body; the bucket limits the file itself. */
export const MAX_BODY_BYTES = 6 * 1024 * 1024;
/** A body must arrive completely within this time. */
const READ_LIMIT_MS = 60_000;
/** One file and a handful of fields. Tens of thousands of empty parts blocked the parser for a fifth of a second. */
const MAX_PARTS = 16;
const MAX_METADATA_BYTES = 4096;
const MAX_AGE_S = 365 * 24 * 60 * 60;

const metadataSchema = z.record(z.string(), z.unknown());

/** @throws AppError `request/too-large`; StorageRefusal 408 on timeout, 400 for a form without exactly one file */
export async function readUpload(request: Request, timeLimitMs = READ_LIMIT_MS): Promise<Upload> {
  const bytes = await readBytes(request, MAX_BODY_BYTES, AbortSignal.timeout(timeLimitMs)).catch(toTimedOut);
  const contentType = request.headers.get('content-type') ?? '';
  if (contentType.toLowerCase().startsWith('multipart/form-data')) return readForm(bytes, contentType);
  const header = request.headers.get('x-metadata');
  return {
    bytes,
    cacheControl: readCacheControl(request.headers.get('cache-control')),
    userMetadata: header === null ? null : readMetadata(Buffer.from(header, 'base64').toString('utf8')),
  };
}

function toTimedOut(error: unknown): never {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    throw new StorageRefusal(408, 'RequestTimeout', 'RequestTimeout', 'The upload took too long');
  throw error;
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<Upload> {
  requireFewParts(bytes, contentType);
  const form = await new Response(bytes, { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw invalidRequest('The form is not valid', cause);
    });
  const files = [...form.values()].filter((value) => typeof value !== 'string');
  const [file] = files;
  if (file === undefined || files.length > 1) throw invalidRequest('The form must contain exactly one file');
  const metadata = textField(form, 'metadata');
  return {
    bytes: new Uint8Array(await file.arrayBuffer()),
    cacheControl: readCacheControl(textField(form, 'cacheControl')),
    userMetadata: metadata === null ? null : readMetadata(metadata),
  };
}

function requireFewParts(bytes: Uint8Array, contentType: string): void {
  const boundary = /boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType);
  const name = boundary?.[1] ?? boundary?.[2];
  if (name === undefined) throw invalidRequest('The form has no boundary');
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts = 0;
  for (let at = body.indexOf(`--${name}`); at >= 0; at = body.indexOf(`--${name}`, at + 1)) {
    parts += 1;
    // The last boundary opens no part.
    if (parts > MAX_PARTS + 1) throw invalidRequest('The form has too many parts');
  }
}

function textField(form: FormData, name: string): string | null {
  const value = form.get(name);
  return typeof value === 'string' ? value : null;
}

/** @param text  seconds, or a header that contains them */
function readCacheControl(text: string | null): string {
  const seconds = /^\s*(?:(?:public|private),?\s*)?(?:max-age=)?(\d{1,10})\b/i.exec(text ?? '')?.[1];
  return seconds === undefined ? 'no-cache' : `max-age=${Math.min(Number(seconds), MAX_AGE_S)}`;
}

function readMetadata(text: string): Record<string, unknown> {
  try {
    if (Buffer.byteLength(text) > MAX_METADATA_BYTES) throw new AppError('request/too-large');
    requireSaneText(text);
    return metadataSchema.parse(parseJson(text));
  } catch (cause) {
    if (isAppError(cause) || cause instanceof z.core.$ZodError)
      throw invalidRequest('The metadata must be a JSON object of at most 4096 bytes', cause);
    throw cause;
  }
}
