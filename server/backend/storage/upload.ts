/**
 * Stores one upload. The bytes come first, under a new version; then the row points at them; then the replaced version
 * is deleted. A crash in between leaves bytes without a row, which the sweep removes, and never a row without bytes.
 */
import { hash, randomUUID } from 'node:crypto';
import { type DatabaseCaller, OWNER } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/http/calls/caller.ts';
import { meteredSpending, type Spending } from '../byte-budget.ts';
import { FilesUnavailable } from './files/object-files.ts';
import type { ObjectAddress } from './object-name.ts';
import {
  type Bucket,
  type FileMetadata,
  findBucket,
  findUploader,
  type NewObject,
  requireMayWrite,
  type Written,
  writeObject,
} from './object-store.ts';
import type { StorageParts } from './storage-deps.ts';
import { busy, invalidRequest, noSuchBucket, StorageRefusal, tooLarge } from './storage-refusal.ts';
import { readUpload, type Upload } from './upload-body.ts';

/** Pictures of at most a few megabytes each; a client that changes its avatar removes the old one. */
const MAX_OBJECTS_OF_ONE = 100;

export interface Uploader {
  caller: Caller;
  /** The address that per-address budgets count. */
  address: string;
}

/**
 * Cheap refusals come first: the policy before the body, the body before the picture.
 * @param mayReplace false: an existing object of this name is refused
 * @returns the object's id
 */
export async function upload(
  request: Request,
  { caller, address }: Uploader,
  at: ObjectAddress,
  mayReplace: boolean,
  parts: StorageParts,
): Promise<string> {
  const bucket = await findBucket(parts.database, at.bucket);
  if (bucket === null) throw noSuchBucket();
  const probe = { at, userId: caller.userId, version: randomUUID(), metadata: NO_METADATA, userMetadata: null };
  await requireMayWrite(parts.database, caller, probe, mayReplace);
  const spending = await openSpending(caller, address, at.bucket, parts);
  const uploader = caller.role === 'service_role' ? null : (caller.userId ?? caller.role);
  return parts.slots.hold(uploader, async () => {
    const upload = await readUpload(request);
    await spending.upTo(upload.bytes.length);
    return store(upload, bucket, { caller, userId: caller.userId }, at, mayReplace, { ...parts, spending });
  });
}

/** The service role isn't counted, and has no account limit. */
async function openSpending(
  { userId, role }: Caller,
  address: string,
  bucket: string,
  parts: StorageParts,
): Promise<Spending> {
  if (role === 'service_role') return FREE;
  const { pictures, verifiedPictures } = parts.budgets;
  if (userId === null) return meteredSpending(pictures, { userId, address });
  await parts.limits.uploadsPerUser.consume(userId);
  const { objects, isVerified } = await findUploader(parts.database, bucket, userId);
  if (objects >= MAX_OBJECTS_OF_ONE) throw full();
  const spending = meteredSpending(isVerified ? verifiedPictures : pictures, { userId, address });
  // An exhausted budget refuses before the body is read.
  await spending.upTo(1);
  return spending;
}

const FREE: Spending = { upTo: async () => undefined };

type StoringParts = Pick<StorageParts, 'database' | 'files' | 'pictures' | 'log'> & { spending: Spending };

/**
 * Stores a picture that the server itself fetched for a user: bypasses the policies, but checks the content the same
 * way.
 * @throws StorageRefusal if it isn't a picture or is too large, and when the files are unavailable
 */
export async function storeForUser(
  bytes: Uint8Array,
  userId: string,
  at: ObjectAddress,
  parts: Omit<StoringParts, 'spending'>,
): Promise<void> {
  const bucket = await findBucket(parts.database, at.bucket);
  if (bucket === null) throw noSuchBucket();
  const upload = { bytes, cacheControl: ONE_YEAR, userMetadata: null };
  await store(upload, bucket, { caller: OWNER, userId }, at, true, { ...parts, spending: FREE });
}

/** The name is new for every picture. */
const ONE_YEAR = 'max-age=31536000';

/** Used in the trial row that checks the policies and is rolled back. */
const NO_METADATA: FileMetadata = { eTag: '', size: 0, mimetype: '', cacheControl: '', lastModified: '' };

const full = () =>
  new StorageRefusal(
    409,
    'MaximumObjectsLimit',
    'MaximumObjectsLimit',
    `A user can store at most ${MAX_OBJECTS_OF_ONE} files in this bucket. Remove some first`,
  );

async function store(
  upload: Upload,
  bucket: Bucket,
  by: { caller: DatabaseCaller; userId: string | null },
  at: ObjectAddress,
  mayReplace: boolean,
  parts: StoringParts,
): Promise<string> {
  if (upload.bytes.length === 0) throw invalidRequest('No content provided');
  if (bucket.file_size_limit !== null && upload.bytes.length > bucket.file_size_limit) throw tooLarge();
  const picture = await parts.pictures.rewrite(upload.bytes, bucket.allowed_mime_types);
  // A few kilobytes may become a picture of megabytes.
  await parts.spending.upTo(picture.bytes.length);
  const object: NewObject = {
    at,
    userId: by.userId,
    version: randomUUID(),
    metadata: metadataOf(picture, upload.cacheControl),
    userMetadata: upload.userMetadata,
  };
  await parts.files.put(object.version, picture.bytes, picture.type).catch(toBusy);
  const { id, replaced } = await pointRowAt(object, by.caller, mayReplace, parts);
  if (replaced !== null) await removeFile(replaced, parts);
  return id;
}

function metadataOf(picture: { bytes: Uint8Array; type: string }, cacheControl: string): FileMetadata {
  const digest = hash('sha256', picture.bytes).slice(0, 32);
  return {
    eTag: `"${digest}"`,
    size: picture.bytes.length,
    mimetype: picture.type,
    cacheControl,
    lastModified: new Date().toISOString(),
    contentLength: picture.bytes.length,
    httpStatusCode: 200,
  };
}

async function pointRowAt(
  object: NewObject,
  caller: DatabaseCaller,
  mayReplace: boolean,
  parts: Pick<StorageParts, 'database' | 'files' | 'log'>,
): Promise<Written> {
  try {
    return await writeObject(parts.database, caller, object, mayReplace);
  } catch (error) {
    // If the database became unavailable, it may have written the row anyway: only a refusal is certain.
    if (isCertain(error)) await removeFile(object.version, parts);
    throw error;
  }
}

function isCertain(error: unknown): boolean {
  return error instanceof StorageRefusal || (error instanceof Error && error.name === 'SqlError');
}

/** The row is correct already; if the bytes can't be removed now, the sweep removes them. */
export async function removeFile(version: string, parts: Pick<StorageParts, 'files' | 'log'>): Promise<void> {
  try {
    await parts.files.remove(version);
  } catch (error) {
    parts.log.warn({ err: error, version }, 'a stored file could not be removed');
  }
}

export function toBusy(error: unknown): never {
  throw error instanceof FilesUnavailable ? busy(error) : error;
}
