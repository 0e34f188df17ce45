/**
 * /storage/v1 as the client library calls it. Unsupported features (moving, copying, signed addresses, bucket
 * management, picture transformation, resumable uploads) are refused by name, never simulated.
 */
import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { Caller } from '../../platform/http/calls/caller.ts';
import { drainBody, readJsonBody } from '../../platform/http/calls/request-body.ts';
import { pictures } from './images.ts';
import { listBuckets, listObjects, readBucket, SORT_COLUMNS } from './list-store.ts';
import { readAddress, readBucketId, readObjectName } from './object-name.ts';
import { findBucket, findObject, findPublicObject, removeObjects } from './object-store.ts';
import { objectInfo, serveObject } from './serve-object.ts';
import type { StorageDeps, StorageParts } from './storage-deps.ts';
import {
  invalidRequest,
  noSuchBucket,
  noSuchObject,
  notSupported,
  refusalResponse,
  StorageRefusal,
  toStorageRefusal,
} from './storage-refusal.ts';
import { removeFile, upload } from './upload.ts';
import { uploadSlots } from './upload-slots.ts';

const MAX_JSON_BYTES = 64 * 1024;
const MAX_REMOVED = 100;
const MAX_LISTED = 1000;

/** Calls of the protocol that this service doesn't support, by the start of their path. */
const NOT_SUPPORTED: readonly [RegExp, string][] = [
  [/^object\/(move|copy)$/, 'Moving and copying objects'],
  [/^object\/(upload\/)?sign(\/|$)/, 'Signing URLs'],
  [/^object\/list-v2\//, 'Listing with list-v2'],
  [/^render\//, 'Image transformation'],
  [/^upload\//, 'Resumable uploads'],
  [/^cdn\//, 'Purging a CDN cache'],
  [/^(s3|iceberg|vector)(\/|$)/, 'This protocol'],
];

export function storageRoutes(deps: StorageDeps): Hono {
  const parts: StorageParts = { ...deps, pictures: pictures(), slots: uploadSlots() };
  const app = new Hono();
  app.onError((error, c) => refuse(error, c, deps));
  app.all('*', (c) => answer(c, parts));
  return app;
}

/** Routed by hand, because names of objects contain slashes and must be decoded only once. */
async function answer(c: Context, parts: StorageParts): Promise<Response> {
  const path = restOfPath(c);
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const feature = NOT_SUPPORTED.find(([pattern]) => pattern.test(path))?.[1];
  if (feature !== undefined) throw notSupported(feature);
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(path));
  if (route === undefined) throw unknownRoute(c);
  const rest = route.pattern.exec(path)?.[1] ?? '';
  return route.answer({ c, parts, rest });
}

interface StorageCall {
  c: Context;
  parts: StorageParts;
  /** The path after the route, still percent-encoded. */
  rest: string;
}

const ROUTES: readonly { method: string; pattern: RegExp; answer: (call: StorageCall) => Promise<Response> }[] = [
  { method: 'GET', pattern: /^bucket\/?$/, answer: answerBuckets },
  { method: 'GET', pattern: /^bucket\/([^/]+)$/, answer: answerBucket },
  { method: 'POST', pattern: /^bucket(?:\/.*)?$/, answer: refuseBuckets },
  { method: 'PUT', pattern: /^bucket(?:\/.*)?$/, answer: refuseBuckets },
  { method: 'DELETE', pattern: /^bucket(?:\/.*)?$/, answer: refuseBuckets },
  { method: 'GET', pattern: /^object\/public\/(.+)$/, answer: servePublic },
  { method: 'GET', pattern: /^object\/info\/public\/(.+)$/, answer: infoOfPublic },
  { method: 'GET', pattern: /^object\/info\/(?:authenticated\/)?(.+)$/, answer: infoOfOwn },
  { method: 'GET', pattern: /^object\/(?:authenticated\/)?(.+)$/, answer: serveOwn },
  { method: 'POST', pattern: /^object\/list\/([^/]+)$/, answer: list },
  { method: 'POST', pattern: /^object\/(.+)$/, answer: (call) => store(call, isUpsert(call.c)) },
  { method: 'PUT', pattern: /^object\/(.+)$/, answer: (call) => store(call, true) },
  { method: 'DELETE', pattern: /^object\/([^/]+)$/, answer: removeMany },
  { method: 'DELETE', pattern: /^object\/(.+)$/, answer: removeOne },
];

const isUpsert = (c: Context) => c.req.header('x-upsert')?.toLowerCase() === 'true';

async function store({ c, parts, rest }: StorageCall, mayReplace: boolean): Promise<Response> {
  const caller = await callerOf(c, parts);
  const at = readAddress(rest);
  const id = await upload(c.req.raw, { caller, address: parts.addressOf(c) }, at, mayReplace, parts);
  return json({ Id: id, Key: `${at.bucket}/${at.name}` });
}

async function servePublic({ c, parts, rest }: StorageCall): Promise<Response> {
  const at = readAddress(rest);
  const find = () => findPublicObject(parts.database, at);
  return serveObject(c, parts, { find, isPublic: true });
}

async function serveOwn({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const at = readAddress(rest);
  await requireBucket(parts, at.bucket);
  const find = () => findObject(parts.database, caller, at);
  return serveObject(c, parts, { find, isPublic: false });
}

async function infoOfPublic({ parts, rest }: StorageCall): Promise<Response> {
  const object = await findPublicObject(parts.database, readAddress(rest));
  if (object === null) throw noSuchObject();
  return json(objectInfo(object));
}

async function infoOfOwn({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const at = readAddress(rest);
  await requireBucket(parts, at.bucket);
  const object = await findObject(parts.database, caller, at);
  if (object === null) throw noSuchObject();
  return json(objectInfo(object));
}

const removeSchema = z.object({
  prefixes: z
    .array(z.union([z.string(), z.object({ path: z.string(), versionId: z.string() })]))
    .check(z.minLength(1), z.maxLength(MAX_REMOVED)),
});

async function removeMany({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const bucket = readBucketId(rest);
  const body = removeSchema.safeParse(await readJsonBody(c.req.raw, MAX_JSON_BYTES));
  if (!body.success) throw invalidRequest(`body must have 1 to ${MAX_REMOVED} prefixes`);
  const names = body.data.prefixes.map((one) => {
    if (typeof one !== 'string') throw notSupported('Removing a single version');
    return readObjectName(one);
  });
  await requireBucket(parts, bucket);
  const removed = await removeObjects(parts.database, caller, bucket, names);
  for (const { version } of removed) if (version !== null) await removeFile(version, parts);
  return json(removed.map(({ shown }) => shown));
}

async function removeOne({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const at = readAddress(rest);
  await requireBucket(parts, at.bucket);
  const removed = await removeObjects(parts.database, caller, at.bucket, [at.name]);
  if (removed.length === 0) throw noSuchObject();
  for (const { version } of removed) if (version !== null) await removeFile(version, parts);
  return json({ message: 'Successfully deleted' });
}

const listSchema = z.object({
  prefix: z._default(z.string().check(z.maxLength(300)), ''),
  search: z._default(z.string().check(z.maxLength(300)), ''),
  limit: z._default(z.int().check(z.gte(1), z.lte(MAX_LISTED)), 100),
  offset: z._default(z.int().check(z.gte(0), z.lte(1_000_000)), 0),
  sortBy: z.optional(
    z.object({ column: z.optional(z.enum(SORT_COLUMNS)), order: z.optional(z.enum(['asc', 'desc'])) }),
  ),
});

async function list({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const bucket = readBucketId(rest);
  const body = listSchema.safeParse(await readJsonBody(c.req.raw, MAX_JSON_BYTES));
  if (!body.success) throw invalidRequest(`body/${body.error.issues[0]?.path.join('/') ?? ''} is not valid`);
  await requireBucket(parts, bucket);
  const { prefix, search, limit, offset, sortBy } = body.data;
  const listed = await listObjects(parts.database, caller, {
    bucket,
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    search,
    limit,
    offset,
    column: sortBy?.column ?? 'name',
    isDescending: sortBy?.order === 'desc',
  });
  return jsonText(listed);
}

async function answerBuckets({ c, parts }: StorageCall): Promise<Response> {
  return jsonText(await listBuckets(parts.database, await callerOf(c, parts)));
}

async function answerBucket({ c, parts, rest }: StorageCall): Promise<Response> {
  const caller = await callerOf(c, parts);
  const bucket = await readBucket(parts.database, caller, readBucketId(rest));
  if (bucket === null) throw noSuchBucket();
  return jsonText(bucket);
}

async function refuseBuckets(): Promise<Response> {
  throw notSupported('Bucket management');
}

/** @throws StorageRefusal 400 without a token: even a visitor sends the anon key as one */
async function callerOf(c: Context, parts: StorageParts): Promise<Caller> {
  if (c.req.header('authorization') === undefined)
    throw new StorageRefusal(400, 'InvalidRequest', 'Error', "headers must have required property 'authorization'");
  return parts.callerOf(c.req.raw);
}

async function requireBucket(parts: StorageParts, id: string): Promise<void> {
  if ((await findBucket(parts.database, id)) === null) throw noSuchBucket();
}

function restOfPath(c: Context): string {
  return new URL(c.req.url).pathname.replace(/^\/storage\/v1\/?/, '');
}

function unknownRoute(c: Context): StorageRefusal {
  const message = `Route ${c.req.method}:/${restOfPath(c).slice(0, 100)} not found`;
  return new StorageRefusal(404, 'NotFound', 'Not Found', message, { status: 404 });
}

const json = (body: unknown) => jsonText(JSON.stringify(body));

function jsonText(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** When an upload is refused unread: how much of it is drained, for how long, before the connection is closed. */
const MAX_DRAINED_BYTES = 16 * 1024 * 1024;
const DRAIN_LIMIT_MS = 3000;

async function refuse(error: unknown, c: Context, deps: StorageDeps): Promise<Response> {
  const known = toStorageRefusal(error);
  const isOurs = known === null || known.status >= 500;
  if (isOurs && !c.req.raw.signal.aborted)
    deps.log.error({ err: error, path: c.req.path, method: c.req.method }, 'storage request failed');
  const answer = refusalResponse(
    known ?? new StorageRefusal(500, 'InternalError', 'Internal', 'Internal Server Error'),
  );
  if (!(await drainBody(c.req.raw, MAX_DRAINED_BYTES, DRAIN_LIMIT_MS))) answer.headers.set('connection', 'close');
  return answer;
}
