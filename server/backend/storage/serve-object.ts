import type { Context } from 'hono';
import type { StoredObject } from './object-store.ts';
import type { StorageDeps } from './storage-deps.ts';
import { noSuchObject } from './storage-refusal.ts';
import { toBusy } from './upload.ts';

/** Served bytes are pictures that we encoded; if one is ever opened as a page, this policy blocks everything. */
const FILE_POLICY = "default-src 'none'; sandbox";
const ONE_YEAR = 'public, max-age=31536000, immutable';
/** A replaced version's bytes are deleted once the row points to the next one; then the row is read again. */
const TRIES = 3;

export interface ServeOptions {
  find: () => Promise<StoredObject | null>;
  isPublic: boolean;
}

/** @throws StorageRefusal 404, 503 when the bytes are unavailable */
export async function serveObject(c: Context, deps: StorageDeps, options: ServeOptions): Promise<Response> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const object = await options.find();
    if (object === null) throw noSuchObject();
    const headers = headersOf(c, object, options.isPublic);
    if (isUnchanged(c.req.header('if-none-match'), object.metadata.eTag))
      return new Response(null, { status: 304, headers });
    const sized = { ...headers, 'content-length': String(object.metadata.size) };
    if (c.req.method === 'HEAD') return new Response(null, { status: 200, headers: sized });
    const file = await deps.files.open(object.version).catch(toBusy);
    if (file !== null) return new Response(file.bytes, { status: 200, headers: sized });
  }
  deps.log.error({ path: c.req.path }, 'a stored object has no bytes');
  throw noSuchObject();
}

function headersOf(c: Context, object: StoredObject, isPublic: boolean): Record<string, string> {
  const { metadata } = object;
  const download = c.req.query('download');
  return {
    'content-type': metadata.mimetype,
    'cache-control': isPublic ? publicCaching(c, metadata.cacheControl) : 'private, no-cache',
    'content-security-policy': FILE_POLICY,
    'x-content-type-options': 'nosniff',
    etag: metadata.eTag,
    'last-modified': new Date(metadata.lastModified).toUTCString(),
    ...(isPublic ? {} : { vary: 'authorization' }),
    ...(download === undefined ? {} : { 'content-disposition': attachment(download) }),
  };
}

/** An address with a nonce identifies one version, so it may be cached forever. */
function publicCaching(c: Context, cacheControl: string): string {
  return c.req.query('cacheNonce') === undefined ? `public, ${cacheControl}` : ONE_YEAR;
}

/** @param name  the file name for the browser; empty for the address's own name */
function attachment(name: string): string {
  if (name === '') return 'attachment';
  const plain = name.slice(0, 200).toWellFormed();
  const ascii = plain.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(plain).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function isUnchanged(ifNoneMatch: string | undefined, eTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(eTag);
}

/** In the form that `info` of the client library reads. */
export function objectInfo(object: StoredObject): Record<string, unknown> {
  const { metadata } = object;
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: metadata.size,
    content_type: metadata.mimetype,
    cache_control: metadata.cacheControl,
    etag: metadata.eTag,
    metadata: object.user_metadata,
    last_modified: object.updated_at,
    created_at: object.created_at,
  };
}
